import { ArrowUpCircle, TriangleAlert, Gauge, Layers, Lock, Network, Ruler, type LucideIcon } from 'lucide-react'
import type { Schemas } from '../../../api/client.ts'
import { FEATURES } from '../../../api/features.ts'
import { formatSpeed, plural, formatBytes } from '../../../lib/format.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { Advice } from '../../../parts/feedback/note.tsx'
import { State } from '../../../parts/text/badge.tsx'
import { Facts } from '../../../parts/text/facts.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { SlotsInUse } from '../../../parts/model/slots.tsx'
import { useSession } from '../../../session/session.ts'
import { useRead } from '../../../session/use-read.ts'
import { DialogButton } from '../../../parts/dialog/dialog-button.tsx'
import { RemoveDeviceDialog, RenameDeviceDialog } from '../device-dialogs.tsx'
import { AboutMachine } from './about-machine.tsx'
import { BackendAdvice } from './backend.tsx'
import { describeDevice } from '../describe-device.ts'
import { summarizeMachine } from '../machine-facts.tsx'
import { FoundFiles } from './found-files.tsx'
import { LocalServers } from './local-servers.tsx'
import { RestAdvice } from './rest-advice.tsx'
import { ServedModels } from './served-models.tsx'
import { Today } from './today.tsx'
import { useDeviceChanges } from '../use-device-changes.ts'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { findLimits, type Limit } from './device-limits.ts'
import { SealState, sealAdvice } from '../../../parts/model/seal-state.tsx'
import { Fingerprint } from '../../../parts/text/fingerprint.tsx'
import { Link } from '@tanstack/react-router'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Meter } from '../../../parts/chart/meter.tsx'

type Device = Schemas['Device']

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
      <State {...describeDevice(device)} />
      {isAdmin && <SheetActions device={device} />}
      {/* What to do in either case: a copy, or a theft. */}
      {device.conflict !== null && (
        <Advice icon={TriangleAlert}>
          <strong>
            Another machine at <Name text={device.conflict.address} /> tries to use this device’s credential.
          </strong>{' '}
          Its last attempt was <RelativeTime at={device.conflict.at} />. It is rejected as long as this device is
          connected. If it is yours, run hearth-device login on it to give it its own credential. If you don’t know it,
          or if this one is not yours, remove the device: the credential stops working for both. Then add your machine
          again.
        </Advice>
      )}
      <RestAdvice device={device} />
      {device.isOutdated && <UpdateAdvice device={device} />}
      {device.backend && <BackendAdvice backend={device.backend} />}
      {device.slots > 0 && (
        <Facts
          facts={[
            ['Slots in use', <SlotsInUse key="slots" running={device.running} slots={device.slots} />],
            ['Speed', device.tokensPerSecond === null ? '–' : `${formatSpeed(device.tokensPerSecond)} tokens/s`],
          ]}
        />
      )}
      <Today device={device} />
      <Downloads device={device} />
      <ServedModels device={device} />
      <LocalServers device={device} />
      <FoundFiles device={device} />
      <Limits device={device} />
      <SealedRequests device={device} />
      <AboutMachine device={device} />
    </Dialog>
  )
}

function SheetActions({ device }: { device: Device }) {
  const { setPaused, isBusy } = useDeviceChanges(device.id)
  return (
    <div className="row">
      <Button isBusy={isBusy} onClick={() => setPaused(!device.isPaused)}>
        {device.isPaused ? 'Resume' : 'Pause'}
      </Button>
      <DialogButton renderDialog={(close) => <RenameDeviceDialog device={device} onClose={close} />}>
        Rename…
      </DialogButton>
      <DialogButton renderDialog={(close) => <RemoveDeviceDialog device={device} onClose={close} />}>
        Remove…
      </DialogButton>
    </div>
  )
}

function UpdateAdvice({ device }: { device: Device }) {
  const brings = [...new Set(device.models.flatMap(({ missingFeatures }) => missingFeatures))]
  return (
    <Advice icon={ArrowUpCircle}>
      <strong>This device runs an older version of the app.</strong>{' '}
      {brings.length === 0
        ? 'To update it, run this on the device: hearth-device update'
        : `Updating may add ${plural(brings.length, 'feature')}: ${brings.map((feature) => FEATURES[feature].title).join(', ')}.`}
    </Advice>
  )
}

const ICONS: Record<Limit['about'], LucideIcon> = {
  speed: Gauge,
  context: Ruler,
  slots: Layers,
  link: Network,
  library: Lock,
}

/** Says why the device can’t do more. */
function Limits({ device }: { device: Device }) {
  const limits = findLimits(device)
  if (limits.length === 0) return null
  return (
    <section className="stack-small">
      <h3>Limits</h3>
      <ul className="grid gap-6 [&>li>svg]:mt-1.5 [&>li>svg]:text-faint">
        {limits.map(({ about, text }, index) => {
          const Icon = ICONS[about]
          return (
            <li className="flex gap-6" key={index}>
              <Icon size={16} aria-hidden />
              <Name text={text} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Whether the device can open sealed requests, and the fingerprint of its key. Shown once the organization has a seal. */
function SealedRequests({ device }: { device: Device }) {
  const { data } = useRead('/sealing')
  const found = data?.devices.find(({ id }) => id === device.id)
  if (!data?.seal || !found) return null
  const advice = sealAdvice(found)
  return (
    <section className="stack-small">
      <h3>Sealed requests</h3>
      <Facts
        facts={[
          ['Seal', <SealState key="state" state={found.state} />],
          ...(found.fingerprint
            ? [['Fingerprint', <Fingerprint key="key" fingerprint={found.fingerprint} />] as const]
            : []),
        ]}
      />
      {advice !== undefined && <p className="text-soft text-small">{advice}</p>}
    </section>
  )
}

/** Models that are on their way to the device. */
function Downloads({ device: { downloads } }: { device: Device }) {
  if (downloads.length === 0) return null
  return (
    <section className="stack-small">
      <h3>Downloads</h3>
      {downloads.map(({ model, state, doneBytes, totalBytes, problem }) => (
        <div key={model} className="stack-small">
          <span className="entry-head">
            <Name text={model} isCut />
            <span className="text-soft tabular-nums">
              {state === 'failed' && 'Failed at '}
              {formatBytes(doneBytes)}
              {totalBytes !== null && ` of ${formatBytes(totalBytes)}`}
            </span>
          </span>
          {state !== 'failed' && (
            <Meter label={`Downloading ${showOddCharacters(model)}`} value={doneBytes} most={totalBytes} />
          )}
          {problem !== null && <p className="text-bad text-small">{problem}</p>}
          {state === 'failed' && (
            <Link to="/models" search={{ open: model }} className="text-small">
              Try again or cancel on the Models page
            </Link>
          )}
        </div>
      ))}
    </section>
  )
}
