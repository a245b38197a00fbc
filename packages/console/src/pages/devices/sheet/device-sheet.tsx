import { Link } from '@tanstack/react-router'
import { ArrowUpCircle } from 'lucide-react'
import { useState } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { FEATURES } from '../../../api/features.ts'
import { formatBytes, formatSpeed, plural } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { Facts } from '../../../parts/text/facts.tsx'
import { Meter } from '../../../parts/chart/meter.tsx'
import { Moment } from '../../../parts/text/moment.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { SlotsInUse } from '../../../parts/model/slots.tsx'
import { useSession } from '../../../session/session.ts'
import { ConflictAdvice } from './conflict-advice.tsx'
import { DeviceDialogs, type DeviceDialog } from '../device-dialogs.tsx'
import { BackendAdvice, describeBackend } from './backend.tsx'
import { DeviceState } from '../device-state.tsx'
import { Limits } from './limits.tsx'
import { machineFacts } from '../machine-facts.tsx'
import { RestAdvice } from './rest-advice.tsx'
import { ServedModels } from './served-models.tsx'
import { useDeviceChanges } from '../use-device-changes.ts'
import '../../../parts/text/entries.css'
import '../devices.css'

type Device = Shapes['Device']

/** Everything about one device. */
export function DeviceSheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { isAdmin } = useSession()
  return (
    <Dialog shape="sheet" title={<Name text={device.name} />} onClose={onClose}>
      <DeviceState device={device} />
      {isAdmin && <SheetActions device={device} />}
      {device.conflict !== null && <ConflictAdvice conflict={device.conflict} />}
      {device.rest !== null && <RestAdvice rest={device.rest} />}
      {device.isOutdated && <UpdateAdvice device={device} />}
      {device.backend && <BackendAdvice backend={device.backend} />}
      <Facts
        facts={[
          ['Slots in use', <SlotsInUse key="slots" running={device.running} slots={device.slots} />],
          ['Speed', device.tokensPerSecond === null ? '–' : `${formatSpeed(device.tokensPerSecond)} tokens/s`],
          ['Connection', device.latencyMs === null ? '–' : `${device.latencyMs} ms round trip`],
          ['Runs on', device.backend === null ? '–' : <Name key="backend" text={describeBackend(device.backend)} />],
          ...machineFacts(device.machine),
          ['IP address', device.address === null ? '–' : <Name key="address" text={device.address} />],
          ['Engine', device.engine === null ? '–' : <Name key="engine" text={device.engine} />],
          ['App version', device.app === null ? '–' : <Name key="app" text={device.app} />],
          ['Last seen', device.state === 'offline' ? <Moment key="seen" at={device.lastSeenAt} /> : 'now'],
          ['Added', <Moment key="added" at={device.createdAt} />],
        ]}
      />
      <Downloads device={device} />
      <Limits device={device} />
      <ServedModels device={device} />
    </Dialog>
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

function Downloads({ device: { downloads } }: { device: Device }) {
  if (downloads.length === 0) return null
  return (
    <section className="stack-small">
      <h3>Downloads</h3>
      {downloads.map(({ model, state, doneBytes, totalBytes, problem }) => (
        <div key={model} className="stack-small">
          <span className="entry-head">
            <Name text={model} isCut />
            <span className="soft numbers">
              {state === 'failed' && 'Failed at '}
              {formatBytes(doneBytes)}
              {totalBytes !== null && ` of ${formatBytes(totalBytes)}`}
            </span>
          </span>
          {state !== 'failed' && (
            <Meter label={`Downloading ${showOddCharacters(model)}`} value={doneBytes} most={totalBytes} />
          )}
          {problem !== null && <p className="device-download-failed small">{problem}</p>}
          {state === 'failed' && (
            <Link to="/models" search={{ open: model }} className="small">
              Try again or cancel on the Models page
            </Link>
          )}
        </div>
      ))}
    </section>
  )
}
