import type { Schemas } from '../../../api/client.ts'
import { formatCount } from '../../../lib/format.ts'
import { DialogButton } from '../../../parts/dialog/dialog-button.tsx'
import { Facts } from '../../../parts/text/facts.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { Loaded, Skeleton } from '../../../parts/feedback/states.tsx'
import { useSession } from '../../../session/session.ts'
import { useRead } from '../../../session/use-read.ts'
import { DefaultsDialog, NUMBER_FIELDS } from './defaults-dialog.tsx'
import { templateUse } from './template-use.ts'

type Defaults = Schemas['ModelDefaults']
type Devices = Schemas['Model']['devices']

/** The values for requests that set none themselves. */
export function ModelDefaults({ model }: { model: Schemas['Model'] }) {
  const { isAdmin } = useSession()
  const query = useRead('/models/defaults', { query: { name: model.name } })
  return (
    <section className="stack-small" aria-label="Defaults">
      <h3>Defaults</h3>
      <p className="text-soft">Used when a request doesn’t set a value itself.</p>
      <Loaded query={query} loading={<Skeleton lines={2} />}>
        {({ own, recommended }) => (
          <>
            <DefaultFacts own={own} recommended={recommended} devices={model.devices} />
            {isAdmin && (
              <div className="row">
                <DialogButton
                  renderDialog={(close) => (
                    <DefaultsDialog model={model} own={own} recommended={recommended} onClose={close} />
                  )}
                >
                  Edit defaults…
                </DialogButton>
              </div>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function DefaultFacts({ own, recommended, devices }: { own: Defaults; recommended: Defaults; devices: Devices }) {
  const numbers = NUMBER_FIELDS.flatMap(({ field, label }) => {
    const value = own[field] ?? recommended[field]
    if (value === null) return []
    return [[label, `${formatNumber(value)}${own[field] === null ? ' (recommended by its authors)' : ''}`] as const]
  })
  const message = own.systemMessage ?? recommended.systemMessage
  const template = own.chatTemplate
  const who = templateUse(devices)
  const use = who === undefined ? '' : `. ${who}`
  const facts = [
    ...numbers,
    ...(message === null ? [] : [['System message', <Name key="message" text={message} isCut />] as const]),
    ...(template === null
      ? []
      : [['Chat template', `your own, ${formatCount(template.length)} characters${use}`] as const]),
  ]
  if (facts.length === 0) return <p className="text-soft">No defaults are set. The device’s engine decides.</p>
  return <Facts facts={facts} />
}

/** 0.2 stays 0.2, and 4096 becomes 4,096. */
function formatNumber(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : String(value)
}
