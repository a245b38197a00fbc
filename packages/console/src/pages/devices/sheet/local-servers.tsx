import type { Schemas } from '../../../api/client.ts'
import { plural } from '../../../lib/format.ts'
import { Button } from '../../../parts/control/button.tsx'
import { report } from '../../../parts/feedback/toasts.tsx'
import { Badge } from '../../../parts/text/badge.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { useSession } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'

type Server = NonNullable<NonNullable<Schemas['Device']['library']>['servers']>[number]

/** Other programs on the machine that run models, such as Ollama. A device names them only where its owner lets admins change its models. */
export function LocalServers({ device }: { device: Schemas['Device'] }) {
  const servers = device.library?.servers ?? []
  if (servers.length === 0) return null
  return (
    <section className="stack-small">
      <h3>Local servers</h3>
      <ul className="entries">
        {servers.map((server) => (
          <LocalServer key={server.url} device={device.id} server={server} />
        ))}
      </ul>
    </section>
  )
}

function LocalServer({ device, server: { url, name, models, isServed } }: { device: string; server: Server }) {
  const { isAdmin } = useSession()
  const { mutateAsync, isPending } = useChange(['devices'], async (own) =>
    own.post('/devices/{device}/servers', { device, body: { server: url } }),
  )
  const done = 'The device tests the models and then serves them. Enable their names under Models'
  return (
    <li>
      <span className="entry-head">
        <span className="row">
          <Name text={name} />
          {isServed && <Badge>Served</Badge>}
        </span>
        {isAdmin && !isServed && (
          <Button isBusy={isPending} onClick={() => report(mutateAsync(), done)}>
            Serve models of {name}
          </Button>
        )}
      </span>
      <span className="text-soft text-small">
        {plural(models, 'model')} at <Name text={url} />
      </span>
    </li>
  )
}
