import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useId, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { formatBytes, formatCount, plural } from '../../../lib/format.ts'
import { useSubmit } from '../../../lib/use-submit.ts'
import { Button } from '../../../parts/control/button.tsx'
import { DialogActions } from '../../../parts/dialog/dialog.tsx'
import { Facts } from '../../../parts/text/facts.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { messageOf } from '../../../parts/feedback/states.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import { bestDevice, fitOn, orderByFit, type DeviceFit } from './device-fit.ts'
import type { DeviceMachine } from './device-machine.ts'
import { useDownloads } from '../use-downloads.ts'
import type { ModelChoice } from './model-choice.ts'

interface DevicesProps {
  choice: ModelChoice
  machines: readonly DeviceMachine[]
  /** The one that the model was chosen for. */
  machine: DeviceMachine | undefined
  onBack: () => void
  onClose: () => void
  onAdded: (name: string) => void
}

export function ChooseDevices({ choice, machines, machine, onBack, onClose, onAdded }: DevicesProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => firstChoice(choice, machines, machine))
  const { rejections, submit, isBusy } = useStart(choice, chosen, onAdded)
  return (
    <form className="stack" onSubmit={submit}>
      <ChoiceFacts choice={choice} />
      <fieldset className="grid max-h-[min(22rem,45dvh)] overflow-y-auto border border-line rounded [&>p]:px-9 [&>p]:py-7.5">
        <legend className="sr-only">Devices</legend>
        {machines.length === 0 && (
          <p className="text-soft">
            You have no devices yet.{' '}
            <Link to="/devices" search={{ dialog: 'add' }}>
              Add a device
            </Link>
          </p>
        )}
        {orderByFit(machines, choice.facts).map(({ machine: { device }, fit }) => (
          <DeviceChoice
            key={device.id}
            device={device}
            fit={fit}
            rejection={rejections.get(device.id)}
            isChosen={chosen.has(device.id)}
            onToggle={() => setChosen(chosen.symmetricDifference(new Set([device.id])))}
          />
        ))}
      </fieldset>
      <DialogActions>
        <Button icon={ArrowLeft} onClick={onBack}>
          Back
        </Button>
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" kind="primary" isBusy={isBusy} disabled={chosen.size === 0}>
          {chosen.size > 1 ? `Download to ${plural(chosen.size, 'device')}` : 'Download'}
        </Button>
      </DialogActions>
    </form>
  )
}

/** The device that the model was chosen for, if it can take it; else the best of the others. */
function firstChoice({ facts }: ModelChoice, machines: readonly DeviceMachine[], machine: DeviceMachine | undefined) {
  const isPossible = machine !== undefined && fitOn(machine, facts).kind === 'fits'
  const device = isPossible ? machine.device : bestDevice(machines, facts)
  return new Set(device ? [device.id] : [])
}

/** Starts the downloads one after another. If a device rejects its download, the dialog stays open and says why. */
function useStart(choice: ModelChoice, chosen: ReadonlySet<string>, onAdded: (name: string) => void) {
  const { start } = useDownloads()
  const [rejections, setRejections] = useState<ReadonlyMap<string, string>>(new Map())
  const { submit, isBusy } = useSubmit(async () => {
    const rejected = new Map<string, string>()
    let added: string | undefined
    for (const device of chosen)
      try {
        added = (await start({ device, model: choice.facts.name, source: choice.source })).name
      } catch (error) {
        rejected.set(device, messageOf(error))
      }
    setRejections(rejected)
    if (added === undefined || rejected.size > 0) return
    showToast('Download started')
    onAdded(added)
  })
  return { rejections, submit, isBusy }
}

function ChoiceFacts({ choice: { facts, license } }: { choice: ModelChoice }) {
  const { name, bytes, contextLength } = facts
  const terms =
    license?.url === undefined ? (
      license?.name
    ) : (
      <a key="license" href={license.url} target="_blank" rel="noreferrer">
        {license.name}
      </a>
    )
  return (
    <Facts
      facts={[
        ['Model name', <Name key="name" text={name} />],
        ['Size', bytes === 0 ? 'unknown until it is downloaded' : formatBytes(bytes)],
        ...(contextLength === undefined ? [] : [['Context', `${formatCount(contextLength)} tokens`] as const]),
        ...(terms === undefined ? [] : [['License', terms] as const]),
      ]}
    />
  )
}

interface ChoiceProps {
  device: Schemas['Device']
  fit: DeviceFit
  rejection: string | undefined
  isChosen: boolean
  onToggle: () => void
}

function DeviceChoice({ device, fit, rejection, isChosen, onToggle }: ChoiceProps) {
  const id = useId()
  const isPossible = fit.kind === 'fits'
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1 items-center px-9 py-6.5 border-line [div+&]:border-t [&>:not(input,label)]:col-start-2">
      <input
        id={id}
        type="checkbox"
        checked={isChosen}
        disabled={!isPossible}
        aria-describedby={`${id}-fit`}
        onChange={onToggle}
      />
      <label htmlFor={id} className={isPossible ? '' : 'text-soft'}>
        <Name text={device.name} />
      </label>
      <span id={`${id}-fit`} className="text-soft text-small">
        {fit.note}
      </span>
      {rejection !== undefined && (
        <p className="text-bad text-small" role="alert">
          {rejection}
        </p>
      )}
    </div>
  )
}
