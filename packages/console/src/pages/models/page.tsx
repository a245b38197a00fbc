import { Link } from '@tanstack/react-router'
import { Box, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { models as modelsQuery } from '../../api/queries/models.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { filterRows } from '../../lib/order-rows.ts'
import { Button } from '../../parts/control/button.tsx'
import { FilterBar, Segments } from '../../parts/control/filter-bar.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Empty, Loaded } from '../../parts/feedback/states.tsx'
import { Table } from '../../parts/table/table.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { AddDialog } from './add/add-dialog.tsx'
import { EnableDialog } from './add/enable-dialog.tsx'
import { useModelColumns } from './model-columns.tsx'
import { ModelSheet } from './sheet/model-sheet.tsx'

type Model = Shapes['Model']

export function ModelsPage() {
  const { isAdmin } = useSession()
  const query = useRead(modelsQuery)
  const { add, isAdding, close, open, show, opened } = useListSearch()
  const [isEnabling, setEnabling] = useState(false)
  const shown = query.data?.find(({ name }) => name === opened)
  return (
    <Page
      title="Models"
      about="Models your API serves. Only enabled models accept requests."
      actions={
        isAdmin && (
          <Button kind="primary" icon={Plus} onClick={add}>
            Add a model
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(models) => (models.length === 0 ? <NoModels /> : <ModelList models={models} onOpen={open} />)}
      </Loaded>
      {isAdding && isAdmin && !isEnabling && (
        <AddDialog models={query.data ?? []} onClose={close} onAdded={show} onEnableOnly={() => setEnabling(true)} />
      )}
      {isAdding && isAdmin && isEnabling && (
        <EnableDialog
          models={query.data ?? []}
          onClose={() => {
            setEnabling(false)
            close()
          }}
        />
      )}
      {shown && <ModelSheet model={shown} onClose={close} />}
    </Page>
  )
}

const STATES = ['all', 'enabled', 'adding', 'disabled', 'offered'] as const
const TITLES = { all: 'All', enabled: 'Enabled', adding: 'Adding', disabled: 'Disabled', offered: 'Available' }

function ModelList({ models, onOpen }: { models: readonly Model[]; onOpen: (name: string) => void }) {
  const { filter, slowFilter, setFilter, state: chosen, setState } = useListSearch()
  const state = STATES.find((one) => one === chosen) ?? 'all'
  const columns = useModelColumns(onOpen)
  const inState = state === 'all' ? models : models.filter((model) => model.state === state)
  const rows = filterRows(inState, slowFilter, ({ name, ownedBy }) => `${name} ${ownedBy ?? ''}`)
  const countOf = (one: (typeof STATES)[number]) =>
    one === 'all' ? models.length : models.filter((model) => model.state === one).length
  return (
    <>
      <FilterBar label="Filter models" value={filter} onChange={setFilter}>
        <Segments
          label="Status"
          value={state}
          onChange={setState}
          choices={STATES.filter((value) => value !== 'adding' || countOf(value) > 0 || state === value).map(
            (value) => ({
              value,
              label: TITLES[value],
              count: countOf(value),
            }),
          )}
        />
      </FilterBar>
      <Table
        label="Models"
        columns={columns}
        rows={rows}
        keyOf={({ name }) => name}
        sortedBy="Model"
        none="No model matches this filter."
      />
    </>
  )
}

function NoModels() {
  const { isAdmin } = useSession()
  const { add } = useListSearch()
  return (
    <Empty
      icon={Box}
      title="No models yet"
      action={
        isAdmin && (
          <div className="row">
            <Link to="/devices" search={{ dialog: 'add' }} className="button button-primary">
              Add a device
            </Link>
            <Button onClick={add}>Add a model</Button>
          </div>
        )
      }
    >
      Connect a device first. Then add a model: your devices download it, and it accepts requests as soon as one of them
      has it.
    </Empty>
  )
}
