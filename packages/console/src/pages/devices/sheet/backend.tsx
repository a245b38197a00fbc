import { CircleAlert } from 'lucide-react'
import type { Schemas } from '../../../api/client.ts'
import { Advice } from '../../../parts/feedback/note.tsx'
import { Name } from '../../../parts/text/name.tsx'

type Backend = NonNullable<Schemas['Device']['backend']>

const TITLES: Readonly<Record<string, string>> = {
  'cuda-built': 'CUDA built for this card',
  cuda: 'CUDA',
  cuda12: 'CUDA 12',
  vulkan: 'Vulkan',
  metal: 'Metal',
  cpu: 'CPU',
}

/** NVIDIA H200 with CUDA */
export function describeBackend({ name, card }: Backend): string {
  const title = titleOf(name)
  return card === null || name === 'cpu' ? title : `${card} with ${title}`
}

/** A newer device app may know back ends that this console doesn't. */
function titleOf(name: string): string {
  return TITLES[name] ?? name
}

/** Why the device doesn't use a faster back end, and what its owner can do. */
export function BackendAdvice({ backend: { name, card, driver, problems } }: { backend: Backend }) {
  if (problems.length === 0) return null
  const machine = [card, driver === null ? undefined : `driver ${driver}`].filter((part) => part != null).join(', ')
  return (
    <Advice icon={CircleAlert}>
      <div className="stack-small">
        <strong>
          Models run on {name === 'cpu' ? 'the CPU' : titleOf(name)}
          {machine !== '' && (
            <>
              {' '}
              (<Name text={machine} />)
            </>
          )}
          , because faster back ends don’t work:
        </strong>
        <ul className="grid gap-3 pl-11">
          {problems.map((problem) => (
            <li key={problem.name}>
              {titleOf(problem.name)}: <Name text={problem.why} />. To fix it: <Name text={problem.remedy} />.
            </li>
          ))}
        </ul>
      </div>
    </Advice>
  )
}
