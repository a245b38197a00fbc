import type { Shapes } from '../../api/client.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Name } from '../../parts/name.tsx'
import { NameDialog } from '../../parts/name-dialog.tsx'
import { useDeviceChanges } from './use-device-changes.ts'

export type DeviceDialog = 'rename' | 'remove'

interface DialogsProps {
  device: Shapes['Device']
  dialog: DeviceDialog | undefined
  onClose: () => void
}

export function DeviceDialogs({ device, dialog, onClose }: DialogsProps) {
  const { rename, remove } = useDeviceChanges(device.id)
  if (dialog === 'rename')
    return (
      <NameDialog
        title="Rename device"
        about="Only the name in the console changes. The device goes on as it is."
        action="Rename"
        name={device.name}
        onClose={onClose}
        onSave={rename}
      />
    )
  if (dialog === 'remove')
    return (
      <ConfirmDialog
        title={
          <>
            Remove <Name text={device.name} />
          </>
        }
        action="Remove device"
        typed={device.name}
        onClose={onClose}
        onConfirm={remove}
      >
        <p>
          Its link closes at once and its credential is void.{' '}
          {device.running > 0 && 'Answers it is giving at this moment are cut off. '}To come back it has to be added
          anew.
        </p>
        <p>Nothing is deleted on the machine itself. Usage it has had stays in the statistics.</p>
      </ConfirmDialog>
    )
  return null
}
