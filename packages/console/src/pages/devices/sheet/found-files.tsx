import type { Schemas } from '../../../api/client.ts'
import { formatBytes } from '../../../lib/format.ts'
import { Button } from '../../../parts/control/button.tsx'
import { report } from '../../../parts/feedback/toasts.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { useSession } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'

type FoundFile = NonNullable<NonNullable<Schemas['Device']['library']>['files']>[number]

/** Model files that Ollama and other programs keep on the machine: the device can serve them from where they are. */
export function FoundFiles({ device }: { device: Schemas['Device'] }) {
  const files = device.library?.files ?? []
  if (files.length === 0) return null
  return (
    <section className="stack-small">
      <h3>Files of other programs</h3>
      <ul className="entries">
        {files.map((file) => (
          <Found key={file.source} device={device.id} file={file} />
        ))}
      </ul>
    </section>
  )
}

function Found({ device, file }: { device: string; file: FoundFile }) {
  const { name, source, bytes, quant, keptBy } = file
  const { isAdmin } = useSession()
  const { mutateAsync, isPending } = useChange(['models', 'devices'], async (own) =>
    own.post('/devices/{device}/downloads', { device, body: { source, name } }),
  )
  return (
    <li>
      <span className="entry-head">
        <Name text={name} isCut />
        {isAdmin && (
          <Button
            isBusy={isPending}
            onClick={() => report(mutateAsync(), 'The device checks the file and then serves it')}
          >
            Use in place
          </Button>
        )}
      </span>
      <span className="text-soft text-small">
        {[formatBytes(bytes), ...(quant === null ? [] : [quant]), `kept by ${keptBy}`, 'no download'].join(' · ')}
      </span>
    </li>
  )
}
