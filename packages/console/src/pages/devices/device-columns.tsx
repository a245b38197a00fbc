import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { formatMemory, formatSpeed, plural } from '../../lib/format.ts'
import { Badge, State } from '../../parts/text/badge.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Name } from '../../parts/text/name.tsx'
import { SlotsInUse } from '../../parts/model/slots.tsx'
import type { Column } from '../../parts/table/column.ts'
import { useOpeningColumns } from '../../session/use-opening-columns.ts'
import { describeDevice } from './describe-device.ts'
import { PanelRightOpen, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { MenuItem } from '../../parts/control/menu.tsx'
import { RowMenu } from '../../parts/control/row-menu.tsx'
import { RemoveDeviceDialog, RenameDeviceDialog } from './device-dialogs.tsx'
import { useDeviceChanges } from './use-device-changes.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Meter } from '../../parts/chart/meter.tsx'

type Device = Schemas['Device']

export function useDeviceColumns(onOpen: (id: string) => void): readonly Column<Device>[] {
  return useOpeningColumns('Device', COLUMNS, {
    onOpen: ({ id }) => onOpen(id),
    actions: (device) => <DeviceMenu device={device} onOpen={onOpen} />,
  })
}

const COLUMNS: readonly Column<Device>[] = [
  {
    title: 'Status',
    sortBy: (device) => describeDevice(device).word,
    cell: (device) => (
      <span className="row">
        <State {...describeDevice(device)} />
        {device.isOutdated && <Badge tone="warn">Outdated</Badge>}
        {device.models.some(({ blockedRequests }) => blockedRequests > 0) && (
          <Badge tone="warn">Requests blocked</Badge>
        )}
      </span>
    ),
  },
  {
    title: 'Hardware',
    isMinor: true,
    sortBy: ({ machine }) => machine?.memoryBytes ?? null,
    // A card on a phone has room for it.
    className: '@max-[44rem]:flex @max-[44rem]:text-end',
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
    cell: ({ lastSeenAt, state }) => (state === 'offline' ? <RelativeTime at={lastSeenAt} /> : 'now'),
  },
]

/** What a person would say it is: its graphics card, or else its processor, and its memory. */
function Hardware({ machine }: { machine: Device['machine'] }) {
  const chip = machine?.gpu ?? machine?.processor ?? null
  if (machine === null || chip === null) return <span className="text-faint">–</span>
  const memory = machine.memoryBytes === null ? '' : formatMemory(machine.memoryBytes)
  return (
    <span className="grid max-w-140 text-small">
      <Name text={chip} isCut />
      <span className="text-soft">{memory}</span>
    </span>
  )
}

function DeviceMenu({ device, onOpen }: { device: Device; onOpen: (id: string) => void }) {
  const { setPaused } = useDeviceChanges(device.id)
  const [dialog, setDialog] = useState<'rename' | 'remove'>()
  const close = () => setDialog(undefined)
  return (
    <>
      <RowMenu of={device.name}>
        <MenuItem title="Details" icon={PanelRightOpen} onSelect={() => onOpen(device.id)} />
        <MenuItem
          title={device.isPaused ? 'Resume' : 'Pause'}
          icon={device.isPaused ? Play : Pause}
          onSelect={() => setPaused(!device.isPaused)}
        />
        <MenuItem title="Rename…" icon={Pencil} onSelect={() => setDialog('rename')} />
        <MenuItem title="Remove…" icon={Trash2} isDanger onSelect={() => setDialog('remove')} />
      </RowMenu>
      {dialog === 'rename' && <RenameDeviceDialog device={device} onClose={close} />}
      {dialog === 'remove' && <RemoveDeviceDialog device={device} onClose={close} />}
    </>
  )
}

/** A table cell: the name of a single model or the number of models, and one download. One that failed comes first. */
function DeviceModels({ device: { models, downloads } }: { device: Device }) {
  const [first] = models
  const download = downloads.find(({ state }) => state === 'failed') ?? downloads[0]
  return (
    <span className="grid gap-2.5 max-w-160">
      {models.length === 0 ? (
        <span className="text-faint">–</span>
      ) : models.length === 1 && first ? (
        <Name text={first.name} isCut />
      ) : (
        <span title={models.map(({ name }) => showOddCharacters(name)).join('\n')}>
          {plural(models.length, 'model')}
        </span>
      )}
      {download && <DownloadCell {...download} />}
    </span>
  )
}

/** The model's own name, because the name above is that of a model the device serves. */
function DownloadCell({ model, state, doneBytes, totalBytes, problem }: Device['downloads'][number]) {
  if (state === 'failed')
    return (
      <span className="text-bad text-small" title={problem ?? undefined}>
        Download of <Name text={model} /> failed
      </span>
    )
  return (
    <span className="text-small text-soft">
      <span>
        Downloading <Name text={model} />
      </span>
      <Meter label={`Downloading ${showOddCharacters(model)}`} value={doneBytes} most={totalBytes} />
    </span>
  )
}
