import { Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { MenuItem } from '../../parts/control/menu.tsx'
import { RowMenu } from '../../parts/control/row-menu.tsx'
import { DeviceDialogs, type DeviceDialog } from './device-dialogs.tsx'
import { useDeviceChanges } from './use-device-changes.ts'

export function DeviceMenu({ device }: { device: Shapes['Device'] }) {
  const { setPaused } = useDeviceChanges(device.id)
  const [dialog, setDialog] = useState<DeviceDialog>()
  return (
    <>
      <RowMenu of={device.name}>
        <MenuItem icon={device.isPaused ? Play : Pause} onSelect={() => setPaused(!device.isPaused)}>
          {device.isPaused ? 'Resume' : 'Pause'}
        </MenuItem>
        <MenuItem icon={Pencil} onSelect={() => setDialog('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon={Trash2} isDanger onSelect={() => setDialog('remove')}>
          Remove
        </MenuItem>
      </RowMenu>
      <DeviceDialogs device={device} dialog={dialog} onClose={() => setDialog(undefined)} />
    </>
  )
}
