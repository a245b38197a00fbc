import { SelectField } from '../../../parts/control/field.tsx'
import { describeMachine, type DeviceMachine } from './device-machine.ts'

interface ChooseMachineProps {
  machine: DeviceMachine
  machines: readonly DeviceMachine[]
  onChange: (device: string) => void
}

/** The machine that speeds are shown for: a choice only if there are several. */
export function ChooseMachine({ machine, machines, onChange }: ChooseMachineProps) {
  if (machines.length === 1)
    return (
      <p className="soft small">
        For {machine.device.name}: {describeMachine(machine) || 'its app is too old to describe it'}
      </p>
    )
  return (
    <SelectField
      label="Device"
      value={machine.device.id}
      onChange={(event) => onChange(event.target.value)}
      hint={describeMachine(machine) || undefined}
    >
      {machines.map(({ device }) => (
        <option key={device.id} value={device.id}>
          {device.name}
        </option>
      ))}
    </SelectField>
  )
}
