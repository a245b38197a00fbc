import { TriangleAlert } from 'lucide-react'
import type { Shapes } from '../../../api/client.ts'
import { plural } from '../../../lib/format.ts'
import { Button } from '../../../parts/control/button.tsx'
import { useSession } from '../../../session/session.ts'
import { useUnblock } from '../use-unblock.ts'
import '../devices.css'

interface BlockedProps {
  device: Pick<Shapes['Device'], 'id' | 'library'>
  model: Shapes['DeviceModel']
}

/** The requests that a device rejects because they crashed a model's engine, and how to accept them again. */
export function BlockedRequests({ device, model: { name, blockedRequests } }: BlockedProps) {
  const { isAdmin } = useSession()
  if (blockedRequests === 0) return null
  const isOne = blockedRequests === 1
  const them = isOne ? 'it' : 'them'
  return (
    <div className="advice">
      <TriangleAlert size={18} aria-hidden />
      <div className="stack-small">
        <div>
          <strong>{plural(blockedRequests, 'request')} blocked.</strong> The engine crashed three times on{' '}
          {isOne ? 'it' : 'each of them'}, so this device rejects {them} for up to an hour. Changed or shorter requests
          are accepted. If you fixed the cause, for example by freeing memory, accept {them} again.
        </div>
        {isAdmin && device.library?.isOpen === true ? (
          <Unblock device={device.id} model={name} them={them} />
        ) : (
          <div>To accept {them} again, run this on the device: hearth-device unblock</div>
        )}
      </div>
    </div>
  )
}

function Unblock({ device, model, them }: { device: string; model: string; them: string }) {
  const { unblock, isBusy } = useUnblock(device)
  return (
    <div className="row">
      <Button isBusy={isBusy} onClick={() => unblock(model)}>
        Accept {them} again
      </Button>
    </div>
  )
}
