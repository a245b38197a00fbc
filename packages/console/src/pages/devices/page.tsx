import { MonitorSmartphone, Plus } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { Button } from '../../parts/control/button.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Empty, Loaded } from '../../parts/feedback/states.tsx'
import { FilteredTable } from '../../parts/table/filtered-table.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { AddDeviceDialog } from './add/add-dialog.tsx'
import { useDeviceColumns } from './device-columns.tsx'
import { DeviceSheet } from './sheet/device-sheet.tsx'
import { UnusedCommands } from './add/unused-commands.tsx'

type Device = Schemas['Device']

export function DevicesPage() {
  const { isAdmin } = useSession()
  const query = useRead('/devices')
  const { add, isAdding, close, open, opened } = useListSearch()
  const columns = useDeviceColumns(open)
  const adding = isAdmin && (
    <Button kind="primary" icon={Plus} onClick={add}>
      Add a device
    </Button>
  )
  const shown = query.data?.devices.find(({ id }) => id === opened)
  return (
    <Page
      title="Devices"
      about="The machines that run your models. They connect out, so they need no open port."
      actions={
        isAdmin && (
          <>
            <Link to="/devices/approve" className="button">
              Enter code
            </Link>
            {adding}
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ devices }) =>
          devices.length === 0 ? (
            <Empty icon={MonitorSmartphone} title="No devices yet" action={adding}>
              Any computer with enough memory for a model can be a device. Paste one command into its terminal, and it
              appears here.
            </Empty>
          ) : (
            <FilteredTable
              label="Devices"
              filter="Filter devices"
              textOf={({ name, engine, models }) => [name, engine, ...models.map((model) => model.name)].join(' ')}
              groups={GROUPS}
              columns={columns}
              rows={devices}
              keyOf={({ id }) => id}
              sortedBy="Device"
              none="No device matches this filter."
            />
          )
        }
      </Loaded>
      {isAdmin && <UnusedCommands />}
      {isAdding && isAdmin && <AddDeviceDialog onClose={close} />}
      {shown && <DeviceSheet device={shown} onClose={close} />}
    </Page>
  )
}

const GROUPS = [
  { value: 'all', label: 'All', has: () => true },
  { value: 'online', label: 'Online', has: ({ state }: Device) => state !== 'offline' },
  { value: 'offline', label: 'Offline', has: ({ state }: Device) => state === 'offline' },
  { value: 'update', label: 'Outdated', has: ({ isOutdated }: Device) => isOutdated, isRare: true },
]
