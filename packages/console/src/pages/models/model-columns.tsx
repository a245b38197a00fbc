import { useMemo, useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { FEATURES } from '../../api/features.ts'
import { formatContext, formatSpeed } from '../../lib/format.ts'
import { SlotsInUse } from '../../parts/model/slots.tsx'
import { actionsColumn, OpenName } from '../../parts/table/cells.tsx'
import type { Column } from '../../parts/table/column.ts'
import { useSession } from '../../session/session.ts'
import { describeState, ModelState } from './model-state.tsx'
import { Ban, PanelRightOpen, Power, Trash2 } from 'lucide-react'
import { Button } from '../../parts/control/button.tsx'
import { MenuItem } from '../../parts/control/menu.tsx'
import { RowMenu } from '../../parts/control/row-menu.tsx'
import { RemoveModelDialog } from './remove-dialog.tsx'
import { useModelState } from './use-model-state.ts'

type Model = Shapes['Model']

export function useModelColumns(onOpen: (name: string) => void): readonly Column<Model>[] {
  const { isAdmin } = useSession()
  return useMemo(() => {
    const actions = actionsColumn<Model>((model) => <ModelActions model={model} onOpen={onOpen} />)
    return isAdmin ? [...columns(onOpen), actions] : columns(onOpen)
  }, [isAdmin, onOpen])
}

function columns(onOpen: (name: string) => void): Column<Model>[] {
  return [
    {
      title: 'Model',
      kind: 'main',
      sortBy: ({ name }) => name,
      cell: ({ name }) => <OpenName name={name} onOpen={() => onOpen(name)} />,
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
    FEATURES_COLUMN,
  ]
}

const FEATURES_COLUMN: Column<Model> = {
  title: 'Features',
  isMinor: true,
  cell: ({ features }) =>
    features.length === 0 ? (
      '–'
    ) : (
      <span className="truncate block max-w-90 text-small" title={titles(features)}>
        {mainTitles(features)}
      </span>
    ),
  sortBy: ({ features }) => features.length,
}

/** The ones that people choose a model by. */
const MAIN_FEATURES = ['tools', 'json_schema', 'web_search', 'reasoning_effort'] as const

function mainTitles(features: Model['features']): string {
  const main = MAIN_FEATURES.filter((feature) => features.includes(feature))
  return main.length === 0 ? 'Text only' : main.map((feature) => FEATURES[feature].title).join(', ')
}

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

interface ActionsProps {
  model: Shapes['Model']
  onOpen: (name: string) => void
}

/** The buttons at the end of a model's row. */
function ModelActions({ model, onOpen }: ActionsProps) {
  const { enable } = useModelState()
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      {model.state !== 'enabled' && model.state !== 'adding' && (
        <Button size="small" onClick={() => enable(model.name)}>
          Enable
        </Button>
      )}
      <ModelMenu model={model} onOpen={onOpen} onRemove={() => setRemoving(true)} />
      {isRemoving && <RemoveModelDialog model={model} onClose={() => setRemoving(false)} />}
    </>
  )
}

function ModelMenu({ model: { name, state }, onOpen, onRemove }: ActionsProps & { onRemove: () => void }) {
  const { enable, disable } = useModelState()
  return (
    <RowMenu of={name}>
      <MenuItem title="Details" icon={PanelRightOpen} onSelect={() => onOpen(name)} />
      {state === 'enabled' ? (
        <MenuItem title="Disable" icon={Ban} onSelect={() => disable(name)} />
      ) : (
        <MenuItem title="Enable" icon={Power} onSelect={() => enable(name)} />
      )}
      {state !== 'offered' && <MenuItem title="Remove…" icon={Trash2} isDanger onSelect={onRemove} />}
    </RowMenu>
  )
}
