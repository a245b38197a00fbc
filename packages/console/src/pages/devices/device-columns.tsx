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
import { formatMemory } from './machine-facts.tsx'

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
    cell: (device) => <Status device={device} />,
  },
  {
    title: 'Hardware',
    isMinor: true,
    sortBy: ({ machine }) => machine?.memoryBytes ?? null,
    cell: ({ machine }) => <Hardware machine={machine} />,
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

function Status({ device }: { device: Device }) {
  return (
    <span className="row">
      <DeviceState device={device} />
      {device.isOutdated && <Badge tone="warn">Outdated</Badge>}
      {device.models.some(({ blockedRequests }) => blockedRequests > 0) && <Badge tone="warn">Requests blocked</Badge>}
    </span>
  )
}

/** What a person would say it is: its graphics card, or else its processor, and its memory. */
function Hardware({ machine }: { machine: Device['machine'] }) {
  const chip = machine?.gpu ?? machine?.processor ?? null
  if (machine === null || chip === null) return <span className="faint">–</span>
  const memory = machine.memoryBytes === null ? '' : formatMemory(machine.memoryBytes)
  return (
    <span className="device-hardware">
      <Name text={chip} isCut />
      <span className="soft">{memory}</span>
    </span>
  )
}
