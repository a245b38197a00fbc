import { EllipsisVertical, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Button } from '../../parts/control/button.tsx'
import { Menu, MenuItem } from '../../parts/control/menu.tsx'
import { DeviceDialogs, type DeviceDialog } from './device-dialogs.tsx'
import { useDeviceChanges } from './use-device-changes.ts'

export function DeviceMenu({ device }: { device: Shapes['Device'] }) {
  const { setPaused } = useDeviceChanges(device.id)
  const [dialog, setDialog] = useState<DeviceDialog>()
  return (
    <>
      <Menu
        trigger={
          <Button
            kind="quiet"
            size="small"
            icon={EllipsisVertical}
            aria-label={`Actions for ${showOddCharacters(device.name)}`}
          />
        }
      >
        <MenuItem icon={device.isPaused ? Play : Pause} onSelect={() => setPaused(!device.isPaused)}>
          {device.isPaused ? 'Resume' : 'Pause'}
        </MenuItem>
        <MenuItem icon={Pencil} onSelect={() => setDialog('rename')}>
          Rename
        </MenuItem>
        <MenuItem icon={Trash2} isDanger onSelect={() => setDialog('remove')}>
          Remove
        </MenuItem>
      </Menu>
      <DeviceDialogs device={device} dialog={dialog} onClose={() => setDialog(undefined)} />
    </>
  )
}
