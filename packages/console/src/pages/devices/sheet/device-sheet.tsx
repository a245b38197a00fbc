import { ArrowUpCircle } from 'lucide-react'
import { useState } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { FEATURES } from '../../../api/features.ts'
import { formatSpeed, plural } from '../../../lib/format.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { Facts } from '../../../parts/text/facts.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { SlotsInUse } from '../../../parts/model/slots.tsx'
import { useSession } from '../../../session/session.ts'
import { ConflictAdvice } from './conflict-advice.tsx'
import { DeviceDialogs, type DeviceDialog } from '../device-dialogs.tsx'
import { AboutMachine } from './about-machine.tsx'
import { BackendAdvice } from './backend.tsx'
import { Downloads } from './downloads.tsx'
import { DeviceState } from '../device-state.tsx'
import { Limits } from './limits.tsx'
import { summarizeMachine } from '../machine-facts.tsx'
import { RestAdvice } from './rest-advice.tsx'
import { SealedRequests } from './sealed-requests.tsx'
import { ServedModels } from './served-models.tsx'
import { Today } from './today.tsx'
import { useDeviceChanges } from '../use-device-changes.ts'
import '../devices.css'

type Device = Shapes['Device']

/** The page of a machine: what it gives and why, what it did today, and what it is. */
export function DeviceSheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { isAdmin } = useSession()
  const summary = summarizeMachine(device.machine)
  return (
    <Dialog
      shape="sheet"
      title={<Name text={device.name} />}
      {...(summary !== '' && { about: <Name text={summary} /> })}
      onClose={onClose}
    >
      <DeviceState device={device} />
      {isAdmin && <SheetActions device={device} />}
      {device.conflict !== null && <ConflictAdvice conflict={device.conflict} />}
      <RestAdvice device={device} />
      {device.isOutdated && <UpdateAdvice device={device} />}
      {device.backend && <BackendAdvice backend={device.backend} />}
      <Serving device={device} />
      <Today device={device} />
      <Downloads device={device} />
      <ServedModels device={device} />
      <Limits device={device} />
      <SealedRequests device={device} />
      <AboutMachine device={device} />
    </Dialog>
  )
}

function Serving({ device }: { device: Device }) {
  if (device.slots === 0) return null
  return (
    <Facts
      facts={[
        ['Slots in use', <SlotsInUse key="slots" running={device.running} slots={device.slots} />],
        ['Speed', device.tokensPerSecond === null ? '–' : `${formatSpeed(device.tokensPerSecond)} tokens/s`],
      ]}
    />
  )
}

function SheetActions({ device }: { device: Device }) {
  const { setPaused, isBusy } = useDeviceChanges(device.id)
  const [dialog, setDialog] = useState<DeviceDialog>()
  return (
    <div className="row">
      <Button isBusy={isBusy} onClick={() => setPaused(!device.isPaused)}>
        {device.isPaused ? 'Resume' : 'Pause'}
      </Button>
      <Button onClick={() => setDialog('rename')}>Rename…</Button>
      <Button onClick={() => setDialog('remove')}>Remove…</Button>
      <DeviceDialogs device={device} dialog={dialog} onClose={() => setDialog(undefined)} />
    </div>
  )
}

function UpdateAdvice({ device }: { device: Device }) {
  const brings = [...new Set(device.models.flatMap(({ missingFeatures }) => missingFeatures))]
  return (
    <div className="advice">
      <ArrowUpCircle size={18} aria-hidden />
      <div>
        <strong>This device runs an older version of the app.</strong>{' '}
        {brings.length === 0
          ? 'To update it, run this on the device: hearth-device update'
          : `Updating may add ${plural(brings.length, 'feature')}: ${brings.map((feature) => FEATURES[feature].title).join(', ')}.`}
      </div>
    </div>
  )
}
