import type { Schemas } from '../../api/client.ts'
import { EndDialog } from '../../parts/dialog/end-dialog.tsx'
import { NameDialog } from '../../parts/dialog/name-dialog.tsx'
import { useDeviceChanges } from './use-device-changes.ts'

interface DialogProps {
  device: Schemas['Device']
  onClose: () => void
}

export function RenameDeviceDialog({ device, onClose }: DialogProps) {
  const { rename } = useDeviceChanges(device.id)
  return (
    <NameDialog
      title="Rename device"
      about="This only changes the name in the console. The device keeps running."
      action="Rename"
      name={device.name}
      onClose={onClose}
      onSave={rename}
      done="Device renamed"
    />
  )
}

export function RemoveDeviceDialog({ device, onClose }: DialogProps) {
  const { remove } = useDeviceChanges(device.id)
  return (
    <EndDialog verb="Remove" thing="device" of={device.name} act={remove} onClose={onClose}>
      <p>
        The device is disconnected immediately and its credential stops working.{' '}
        {device.running > 0 && 'Responses it is generating are interrupted. '}To use it again, add it as a new device.
      </p>
      <p>Nothing is deleted on the machine. Its past usage stays in the statistics.</p>
    </EndDialog>
  )
}
