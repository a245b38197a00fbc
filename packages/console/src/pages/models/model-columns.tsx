import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { FEATURES } from '../../api/features.ts'
import { formatContext, formatSpeed } from '../../lib/format.ts'
import { SlotsInUse } from '../../parts/model/slots.tsx'
import type { Column } from '../../parts/table/column.ts'
import { useOpeningColumns } from '../../session/use-opening-columns.ts'
import { State } from '../../parts/text/badge.tsx'
import { describeState } from './describe-state.ts'
import { Ban, PanelRightOpen, Power, Trash2 } from 'lucide-react'
import { Button } from '../../parts/control/button.tsx'
import { MenuItem } from '../../parts/control/menu.tsx'
import { RowMenu } from '../../parts/control/row-menu.tsx'
import { RemoveModelDialog } from './remove-dialog.tsx'
import { useModelState } from './use-model-state.ts'

type Model = Schemas['Model']

export function useModelColumns(onOpen: (name: string) => void): readonly Column<Model>[] {
  return useOpeningColumns('Model', COLUMNS, {
    onOpen: ({ name }) => onOpen(name),
    actions: (model) => <ModelActions model={model} onOpen={onOpen} />,
  })
}

const COLUMNS: readonly Column<Model>[] = [
  {
    title: 'Status',
    sortBy: (model) => describeState(model).word,
    cell: (model) => <State {...describeState(model)} />,
  },
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
  {
    title: 'Tokens/s',
    kind: 'number',
    isMinor: true,
    sortBy: fastest,
    cell: (model) => {
      const speed = fastest(model)
      return speed === null ? '–' : formatSpeed(speed)
    },
  },
  {
    title: 'Features',
    isMinor: true,
    cell: ({ features }) =>
      features.length === 0 ? (
        '–'
      ) : (
        <span
          className="truncate block max-w-90 text-small"
          title={features.map((feature) => FEATURES[feature].title).join(', ')}
        >
          {mainTitles(features)}
        </span>
      ),
    sortBy: ({ features }) => features.length,
  },
]

/** The ones that people choose a model by. */
const MAIN_FEATURES = ['tools', 'json_schema', 'web_search', 'reasoning_effort'] as const

function mainTitles(features: Model['features']): string {
  const main = MAIN_FEATURES.filter((feature) => features.includes(feature))
  return main.length === 0 ? 'Text only' : main.map((feature) => FEATURES[feature].title).join(', ')
}

function fastest({ devices }: Model): number | null {
  const speeds = devices.flatMap(({ tokensPerSecond }) => tokensPerSecond ?? [])
  return speeds.length === 0 ? null : Math.max(...speeds)
}

interface ActionsProps {
  model: Model
  onOpen: (name: string) => void
}

/** The buttons at the end of a model's row. */
function ModelActions({ model, onOpen }: ActionsProps) {
  const { name, state } = model
  const { enable, disable } = useModelState()
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      {state !== 'enabled' && state !== 'adding' && (
        <Button size="small" onClick={() => enable(name)}>
          Enable
        </Button>
      )}
      <RowMenu of={name}>
        <MenuItem title="Details" icon={PanelRightOpen} onSelect={() => onOpen(name)} />
        {state === 'enabled' ? (
          <MenuItem title="Disable" icon={Ban} onSelect={() => disable(name)} />
        ) : (
          <MenuItem title="Enable" icon={Power} onSelect={() => enable(name)} />
        )}
        {state !== 'offered' && <MenuItem title="Remove…" icon={Trash2} isDanger onSelect={() => setRemoving(true)} />}
      </RowMenu>
      {isRemoving && <RemoveModelDialog model={model} onClose={() => setRemoving(false)} />}
    </>
  )
}
