import { KeyRound, Plus } from 'lucide-react'
import { useDeferredValue, useMemo, useState, useCallback } from 'react'
import type { Schemas } from '../../api/client.ts'
import { readQuery } from '../../api/organization-api.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { Button } from '../../parts/control/button.tsx'
import { FilterBar, Segments } from '../../parts/control/filter-bar.tsx'
import { Empty, Loaded } from '../../parts/feedback/states.tsx'
import { VirtualTable, type RowOrder } from '../../parts/table/virtual-table.tsx'
import type { NewSecret } from './new-key-dialog.tsx'
import { useKeyColumns, type KeyOrder } from './key-columns.tsx'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useSession } from '../../session/session.ts'

const STATES = ['active', 'disabled', 'ended'] as const
const TITLES = { active: 'Active', disabled: 'Disabled', ended: 'Revoked or expired' }

const PAGE = 100

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

// The keys of a long list, fetched a page at a time: the pages on the screen and nothing else.
function useKeyRows(filters: object) {
  const { organization } = useSession()
  const [pages, setPages] = useState<readonly number[]>([0])
  const onShow = useCallback((first: number, end: number) => {
    const [low, high] = [Math.floor(first / PAGE), Math.floor(Math.max(first, end - 1) / PAGE)]
    setPages((before) =>
      before[0] === low && before.at(-1) === high
        ? before
        : Array.from({ length: high - low + 1 }, (_, at) => low + at),
    )
  }, [])
  // Shows the page before until this one is here.
  const queryOf = (page: number) => ({
    ...readQuery(organization.id, '/keys', { query: { ...filters, offset: page * PAGE, limit: PAGE } }),
    placeholderData: keepPreviousData,
  })
  const first = useQuery(queryOf(0))
  const shown = useQueries({ queries: pages.map(queryOf) })
  const rowAt = (index: number): Schemas['Key'] | undefined => {
    const position = pages.indexOf(Math.floor(index / PAGE))
    const query = shown[position]
    return query?.isPlaceholderData ? undefined : query?.data?.keys[index % PAGE]
  }
  return { first, rowAt, onShow }
}
