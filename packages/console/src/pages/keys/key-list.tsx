import { KeyRound, Plus } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { useListSearch } from '../../lib/list-search.ts'
import { Button } from '../../parts/control/button.tsx'
import { FilterBar, Segments } from '../../parts/control/filter-bar.tsx'
import { Empty, Loaded } from '../../parts/feedback/states.tsx'
import { VirtualTable, type RowOrder } from '../../parts/table/virtual-table.tsx'
import type { NewSecret } from './new-key-dialog.tsx'
import { useKeyColumns, type KeyOrder } from './key-columns.tsx'
import { useKeyRows } from './use-key-rows.ts'

const STATES = ['active', 'disabled', 'ended'] as const
const TITLES = { active: 'Active', disabled: 'Disabled', ended: 'Revoked or expired' }

export function KeyList({ onRotated }: { onRotated: (secret: NewSecret) => void }) {
  const { filter, setFilter, state: chosen, setState, open: onOpen, add } = useListSearch()
  const columns = useKeyColumns({ onOpen, onRotated })
  const search = useDeferredValue(filter)
  const state = STATES.find((one) => one === chosen) ?? 'active'
  const [order, setOrder] = useState<RowOrder<KeyOrder>>({ by: 'created', isDescending: true })
  const filters = useMemo(
    () => ({
      state,
      sort: order.by,
      order: order.isDescending ? ('descending' as const) : ('ascending' as const),
      ...(search.trim() !== '' && { search: search.trim().slice(0, 128) }),
    }),
    [state, order, search],
  )
  const { first, rowAt, onShow } = useKeyRows(filters)
  return (
    <Loaded query={first}>
      {({ counts }) =>
        search === '' && counts.active + counts.disabled + counts.ended === 0 ? (
          <Empty
            icon={KeyRound}
            title="No keys yet"
            action={
              <Button kind="primary" icon={Plus} onClick={add}>
                Create a key
              </Button>
            }
          >
            Apps need an API key to use your models. Create one for each app, so that you can see how much each app uses
            and revoke one key without affecting the others.
          </Empty>
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
            <VirtualTable
              label="Keys"
              columns={columns}
              keyOf={({ id }) => id}
              // Starts again at the top when other keys are asked for.
              key={JSON.stringify(filters)}
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
