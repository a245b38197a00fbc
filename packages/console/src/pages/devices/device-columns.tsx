import { useMemo } from 'react'
import type { Shapes } from '../../api/client.ts'
import { formatSpeed } from '../../lib/format.ts'
import { Badge } from '../../parts/text/badge.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import { SlotsInUse } from '../../parts/model/slots.tsx'
import type { Column } from '../../parts/table/column.ts'
import { useSession } from '../../session/session.ts'
import { DeviceMenu } from './device-menu.tsx'
import { DeviceModels } from './device-models.tsx'
import { describeDevice, DeviceState } from './device-state.tsx'

type Device = Shapes['Device']

export function useDeviceColumns(onOpen: (id: string) => void): readonly Column<Device>[] {
  const { isAdmin } = useSession()
  return useMemo(() => [nameColumn(onOpen), ...COLUMNS, ...(isAdmin ? [ACTIONS] : [])], [isAdmin, onOpen])
}

function nameColumn(onOpen: (id: string) => void): Column<Device> {
  return {
    title: 'Device',
    kind: 'main',
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <button type="button" className="table-open" onClick={() => onOpen(id)}>
        <Name text={name} isCut />
      </button>
    ),
  }
}

const COLUMNS: readonly Column<Device>[] = [
  {
    title: 'Status',
    sortBy: (device) => describeDevice(device).word,
    cell: (device) => <DeviceState device={device} />,
  },
  { title: 'Models', sortBy: ({ models }) => models.length, cell: (device) => <DeviceModels device={device} /> },
  {
    title: 'Slots in use',
    sortBy: ({ running }) => running,
    cell: ({ running, slots }) => <SlotsInUse running={running} slots={slots} />,
  },
  {
    title: 'Tokens/s',
    kind: 'number',
    sortBy: ({ tokensPerSecond }) => tokensPerSecond,
    cell: ({ tokensPerSecond }) => (tokensPerSecond === null ? '–' : formatSpeed(tokensPerSecond)),
  },
  {
    title: 'Latency',
    kind: 'number',
    isMinor: true,
    sortBy: ({ latencyMs }) => latencyMs,
    cell: ({ latencyMs }) => (latencyMs === null ? '–' : `${latencyMs} ms`),
  },
  {
    title: 'App version',
    isMinor: true,
    sortBy: ({ app }) => app,
    cell: (device) => <App device={device} />,
  },
  {
    title: 'Last seen',
    sortBy: ({ lastSeenAt }) => (lastSeenAt === null ? null : new Date(lastSeenAt).getTime()),
    cell: ({ lastSeenAt, state }) => (state === 'offline' ? <Moment at={lastSeenAt} /> : 'now'),
  },
]

const ACTIONS: Column<Device> = {
  title: 'Actions',
  kind: 'actions',
  cell: (device) => <DeviceMenu device={device} />,
}

function App({ device: { app, isOutdated } }: { device: Device }) {
  return (
    <span className="row">
      {app === null ? <span className="faint">–</span> : <Name text={app} />}
      {isOutdated && <Badge tone="warn">Outdated</Badge>}
    </span>
  )
}
