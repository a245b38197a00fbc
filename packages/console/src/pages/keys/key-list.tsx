import { KeyRound, Plus } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import type { KeyQuestion } from '../../api/queries/keys.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { Button } from '../../parts/control/button.tsx'
import { FilterBar, Segments } from '../../parts/control/filter-bar.tsx'
import { Empty, Loaded } from '../../parts/feedback/states.tsx'
import { VirtualTable, type RowOrder } from '../../parts/table/virtual-table.tsx'
import { useKeyColumns, type KeyOrder } from './key-columns.tsx'
import { useKeyRows } from './use-key-rows.ts'

const STATES = ['active', 'disabled', 'ended'] as const
const TITLES = { active: 'Active', disabled: 'Disabled', ended: 'Revoked or expired' }

type State = (typeof STATES)[number]

export function KeyList() {
  const { filter, setFilter, state: chosen, setState } = useListSearch()
  const search = useDeferredValue(filter)
  const state = STATES.find((one) => one === chosen) ?? 'active'
  const [order, setOrder] = useState<RowOrder<KeyOrder>>({ by: 'created', isDescending: true })
  const question = useQuestion(state, order, search.trim())
  const { first, rowAt, onShow } = useKeyRows(question)
  return (
    <Loaded query={first}>
      {({ counts }) =>
        search === '' && counts.active + counts.disabled + counts.ended === 0 ? (
          <NoKeys />
        ) : (
          <>
            <FilterBar label="Filter keys" value={filter} onChange={setFilter}>
              <Segments
                label="Status"
                value={state}
                onChange={setState}
                choices={STATES.map((value) => ({ value, label: TITLES[value], count: counts[value] }))}
              />
            </FilterBar>
            <KeyTable
              // Starts again at the top when other keys are asked for.
              key={JSON.stringify(question)}
              {...{ rowAt, onShow, order }}
              onOrder={setOrder}
              count={counts[state]}
              none={search === '' ? `No ${TITLES[state].toLowerCase()} keys.` : 'No key matches this filter.'}
            />
          </>
        )
      }
    </Loaded>
  )
}

function useQuestion(state: State, order: RowOrder<KeyOrder>, search: string): KeyQuestion {
  return useMemo(
    () => ({
      state,
      sort: order.by,
      order: order.isDescending ? 'descending' : 'ascending',
      ...(search !== '' && { search: search.slice(0, 128) }),
    }),
    [state, order, search],
  )
}

interface KeyTableProps {
  count: number
  rowAt: (index: number) => Shapes['Key'] | undefined
  onShow: (first: number, end: number) => void
  order: RowOrder<KeyOrder>
  onOrder: (order: RowOrder<KeyOrder>) => void
  none: string
}

function KeyTable(props: KeyTableProps) {
  const { open } = useListSearch()
  const columns = useKeyColumns(open)
  return <VirtualTable label="Keys" columns={columns} keyOf={({ id }) => id} {...props} />
}

function NoKeys() {
  const { add } = useListSearch()
  return (
    <Empty
      icon={KeyRound}
      title="No keys yet"
      action={
        <Button kind="primary" icon={Plus} onClick={add}>
          Create a key
        </Button>
      }
    >
      Apps need an API key to use your models. Create one for each app, so that you can see how much each app uses and
      revoke one key without affecting the others.
    </Empty>
  )
}
