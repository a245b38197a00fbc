import { MessagesSquare, Sprout } from 'lucide-react'
import { Name } from '../../../parts/text/name.tsx'
import { StarterNote } from '../../../parts/model/starter-note.tsx'
import { useSession } from '../../../session/session.ts'
import type { ChosenModel } from '../models/chosen-model.ts'

const EXAMPLES = [
  'Explain in three sentences why the sky is blue.',
  'Write a haiku about a computer that stays at home.',
  'Compare TCP and UDP in a small table.',
]

interface WelcomeProps {
  models: readonly ChosenModel[]
  onExample: (text: string) => void
}

/** Before the first message. */
export function Welcome({ models, onExample }: WelcomeProps) {
  const { isAdmin } = useSession()
  const starter = models
    .flatMap((column) => (column.kind === 'ready' ? [column.model] : []))
    .find(({ known }) => known?.isStarter)
  const tiny = models.find(({ name }) => isTiny(name))
  return (
    <div className="grid justify-items-center gap-7.5 text-center py-10 m-auto">
      <span className="size-30 grid place-items-center text-soft bg-sunken border border-line rounded-large">
        <MessagesSquare size={22} aria-hidden />
      </span>
      <h2>Send a message to start</h2>
      <ul className="grid gap-5 mt-2.5">
        {EXAMPLES.map((text) => (
          <li key={text}>
            <button
              type="button"
              className="text-soft bg-surface border border-line rounded-full px-9 py-5 hover:text-ink hover:bg-hover"
              onClick={() => onExample(text)}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
      {starter && <StarterNote model={starter} isAdmin={isAdmin} />}
      {!starter && tiny && (
        <p className="text-small flex gap-6 max-w-340 mt-7.5 text-start text-soft bg-sunken rounded px-8 py-6 [&>svg]:mt-1.5">
          <Sprout size={16} aria-hidden />
          <span>
            <Name text={tiny.name} isStrong /> is a tiny model that runs anywhere. It shows that everything works, but
            its answers are often wrong. For real answers, add a larger model.
          </span>
        </p>
      )}
    </div>
  )
}

/** Models name their size. Those with less than half a billion parameters, like the starter model, hardly make sense. */
function isTiny(name: string): boolean {
  return /(?<![\d.])([1-4]\d{2}|[1-9]\d)m(?![a-z])/i.test(name)
}
