import { MonitorSmartphone, Plus } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { Shapes } from '../../api/client.ts'
import { devices as devicesQuery } from '../../api/queries/devices.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { filterRows } from '../../lib/order-rows.ts'
import { Button } from '../../parts/control/button.tsx'
import { FilterBar, Segments } from '../../parts/control/filter-bar.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Empty, Loaded } from '../../parts/feedback/states.tsx'
import { Table } from '../../parts/table/table.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { AddDeviceDialog } from './add/add-dialog.tsx'
import { useDeviceColumns } from './device-columns.tsx'
import { DeviceSheet } from './sheet/device-sheet.tsx'
import { groupOf } from './device-state.tsx'
import { WaitingTokens } from './add/waiting-tokens.tsx'

type Device = Shapes['Device']

export function DevicesPage() {
  const { isAdmin } = useSession()
  const query = useRead(devicesQuery)
  const { add, isAdding, close, open, opened } = useListSearch()
  const shown = query.data?.find(({ id }) => id === opened)
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
            <Button kind="primary" icon={Plus} onClick={add}>
              Add a device
            </Button>
          </>
        )
      }
    >
      <Loaded query={query}>
        {(devices) => (devices.length === 0 ? <NoDevices /> : <DeviceList devices={devices} onOpen={open} />)}
      </Loaded>
      {isAdmin && <WaitingTokens />}
      {isAdding && isAdmin && <AddDeviceDialog onClose={close} />}
      {shown && <DeviceSheet device={shown} onClose={close} />}
    </Page>
  )
}

const GROUPS = ['all', 'online', 'offline', 'update'] as const
const TITLES = { all: 'All', online: 'Online', offline: 'Offline', update: 'Outdated' }

function DeviceList({ devices, onOpen }: { devices: readonly Device[]; onOpen: (id: string) => void }) {
  const { filter, slowFilter, setFilter, state: chosen, setState } = useListSearch()
  const group = GROUPS.find((one) => one === chosen) ?? 'all'
  const columns = useDeviceColumns(onOpen)
  const isIn = (device: Device, one: (typeof GROUPS)[number]) =>
    one === 'all' || (one === 'update' ? device.isOutdated : groupOf(device) === one)
  const rows = filterRows(
    devices.filter((device) => isIn(device, group)),
    slowFilter,
    ({ name, engine, models }) => `${name} ${engine ?? ''} ${models.map((model) => model.name).join(' ')}`,
  )
  const choices = GROUPS.map((value) => ({
    value,
    label: TITLES[value],
    count: devices.filter((device) => isIn(device, value)).length,
  }))
  return (
    <>
      <FilterBar label="Filter devices" value={filter} onChange={setFilter}>
        <Segments
          label="Status"
          value={group}
          onChange={setState}
          choices={choices.filter(({ value, count }) => value !== 'update' || count > 0)}
        />
      </FilterBar>
      <Table
        label="Devices"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        sortedBy="Device"
        none="No device matches this filter."
      />
    </>
  )
}

function NoDevices() {
  const { isAdmin } = useSession()
  const { add } = useListSearch()
  return (
    <Empty
      icon={MonitorSmartphone}
      title="No devices yet"
      action={
        isAdmin && (
          <Button kind="primary" icon={Plus} onClick={add}>
            Add a device
          </Button>
        )
      }
    >
      Any computer with enough memory for a model can be a device. Paste one command into its terminal, and it appears
      here.
    </Empty>
  )
}
