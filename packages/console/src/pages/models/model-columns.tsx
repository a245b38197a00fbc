import { Ban, EllipsisVertical, PanelRightOpen, Power, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { FEATURES } from '../../api/features.ts'
import { formatContext, formatSpeed, plural } from '../../lib/format.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { State, type Tone } from '../../parts/text/badge.tsx'
import { Button } from '../../parts/control/button.tsx'
import { Menu, MenuItem } from '../../parts/control/menu.tsx'
import { Name } from '../../parts/text/name.tsx'
import { SlotsInUse } from '../../parts/model/slots.tsx'
import type { Column } from '../../parts/table/table.tsx'
import { useSession } from '../../session/session.ts'
import { RemoveModelDialog } from './remove-dialog.tsx'
import { useModelState } from './use-model-state.ts'

type Model = Shapes['Model']

export function useModelColumns(onOpen: (name: string) => void): readonly Column<Model>[] {
  const { isAdmin } = useSession()
  return useMemo(() => (isAdmin ? [...columns(onOpen), ACTIONS(onOpen)] : columns(onOpen)), [isAdmin, onOpen])
}

function columns(onOpen: (name: string) => void): Column<Model>[] {
  return [
    {
      title: 'Model',
      kind: 'main',
      sortBy: ({ name }) => name,
      cell: ({ name }) => (
        <button type="button" className="table-open" onClick={() => onOpen(name)}>
          <Name text={name} isCut />
        </button>
      ),
    },
    { title: 'Status', sortBy: (model) => describeState(model).word, cell: (model) => <ModelState model={model} /> },
    {
      title: 'Devices',
      kind: 'number',
      sortBy: ({ devices }) => devices.length,
      cell: ({ devices }) => devices.length,
    },
    {
      title: 'Context',
      kind: 'number',
      sortBy: ({ contextLength }) => contextLength,
      cell: ({ contextLength }) => (contextLength === null ? '–' : formatContext(contextLength)),
    },
    {
      title: 'Slots in use',
      sortBy: ({ running, queued }) => running + queued,
      cell: ({ running, slots, queued }) => <SlotsInUse running={running} slots={slots} queued={queued} />,
    },
    { title: 'Tokens/s', kind: 'number', isMinor: true, sortBy: fastest, cell: (model) => showSpeed(fastest(model)) },
    {
      title: 'Features',
      isMinor: true,
      cell: ({ features }) =>
        features.length === 0 ? '–' : <span title={titles(features)}>{plural(features.length, 'feature')}</span>,
      sortBy: ({ features }) => features.length,
    },
  ]
}

const ACTIONS = (onOpen: (name: string) => void): Column<Model> => ({
  title: 'Actions',
  kind: 'actions',
  cell: (model) => <ModelActions model={model} onOpen={onOpen} />,
})

function titles(features: Model['features']): string {
  return features.map((feature) => FEATURES[feature].title).join(', ')
}

function fastest({ devices }: Model): number | null {
  const speeds = devices.flatMap(({ tokensPerSecond }) => tokensPerSecond ?? [])
  return speeds.length === 0 ? null : Math.max(...speeds)
}

function showSpeed(speed: number | null): string {
  return speed === null ? '–' : formatSpeed(speed)
}

export function ModelState({ model }: { model: Model }) {
  const { tone, word } = describeState(model)
  return <State tone={tone}>{word}</State>
}

function describeState({ state, devices, downloads }: Model): { tone: Tone; word: string } {
  if (state === 'adding') return describeAdding(downloads)
  if (state === 'disabled') return { tone: 'calm', word: 'Disabled' }
  if (state === 'offered') return { tone: 'accent', word: 'Available' }
  return devices.length > 0 ? { tone: 'good', word: 'Enabled' } : { tone: 'warn', word: 'Enabled, no devices' }
}

/** The first device that has it enables the model, so the one that is furthest counts. */
function describeAdding(downloads: Model['downloads']): { tone: Tone; word: string } {
  if (downloads.length === 0) return { tone: 'warn', word: 'Waiting for a device' }
  if (downloads.every(({ state }) => state === 'failed')) return { tone: 'bad', word: 'Download failed' }
  if (downloads.every(({ state }) => state === 'failed' || state === 'paused'))
    return { tone: 'calm', word: 'Download paused' }
  const shares = downloads.map(({ doneBytes, totalBytes }) => (totalBytes ? doneBytes / totalBytes : 0))
  return { tone: 'accent', word: `Downloading, ${Math.floor(Math.max(...shares) * 100)}%` }
}

function ModelActions({ model, onOpen }: { model: Model; onOpen: (name: string) => void }) {
  const { enable, disable } = useModelState()
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      {model.state !== 'enabled' && model.state !== 'adding' && (
        <Button size="small" onClick={() => enable(model.name)}>
          Enable
        </Button>
      )}
      <Menu
        trigger={
          <Button
            kind="quiet"
            size="small"
            icon={EllipsisVertical}
            aria-label={`Actions for ${showOddCharacters(model.name)}`}
          />
        }
      >
        <MenuItem icon={PanelRightOpen} onSelect={() => onOpen(model.name)}>
          Details
        </MenuItem>
        {model.state === 'enabled' ? (
          <MenuItem icon={Ban} onSelect={() => disable(model.name)}>
            Disable
          </MenuItem>
        ) : (
          <MenuItem icon={Power} onSelect={() => enable(model.name)}>
            Enable
          </MenuItem>
        )}
        {model.state !== 'offered' && (
          <MenuItem icon={Trash2} isDanger onSelect={() => setRemoving(true)}>
            Remove
          </MenuItem>
        )}
      </Menu>
      {isRemoving && <RemoveModelDialog model={model} onClose={() => setRemoving(false)} />}
    </>
  )
}
