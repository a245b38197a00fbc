import { KeyRound, Plus } from 'lucide-react'
import { useDeferredValue, useMemo, useState, useCallback } from 'react'
import type { Shapes } from '../../api/client.ts'
import { type KeyQuestion, KEY_PAGE, keyPage } from '../../api/queries/keys.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { Button } from '../../parts/control/button.tsx'
import { FilterBar, Segments } from '../../parts/control/filter-bar.tsx'
import { Empty, Loaded } from '../../parts/feedback/states.tsx'
import { VirtualTable, type RowOrder } from '../../parts/table/virtual-table.tsx'
import type { NewSecret } from './new-key-dialog.tsx'
import { useKeyColumns, type KeyOrder } from './key-columns.tsx'
import { useQueries } from '@tanstack/react-query'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'

const STATES = ['active', 'disabled', 'ended'] as const
const TITLES = { active: 'Active', disabled: 'Disabled', ended: 'Revoked or expired' }

type State = (typeof STATES)[number]

interface OnRotated {
  onRotated: (secret: NewSecret) => void
}

export function KeyList({ onRotated }: OnRotated) {
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
              onRotated={onRotated}
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

function KeyTable({ onRotated, ...props }: KeyTableProps & OnRotated) {
  const { open: onOpen } = useListSearch()
  const columns = useKeyColumns({ onOpen, onRotated })
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

// The keys of a long list, fetched a page at a time: the pages on the screen and nothing else.
function useKeyRows(question: KeyQuestion) {
  const { organization } = useSession()
  const [pages, setPages] = useState<readonly number[]>([0])
  const onShow = useCallback((first: number, end: number) => {
    const [low, high] = [Math.floor(first / KEY_PAGE), Math.floor(Math.max(first, end - 1) / KEY_PAGE)]
    setPages((before) =>
      before[0] === low && before.at(-1) === high
        ? before
        : Array.from({ length: high - low + 1 }, (_, at) => low + at),
    )
  }, [])
  const first = useRead(keyPage, question, 0)
  const shown = useQueries({ queries: pages.map((page) => keyPage(organization.id, question, page)) })
  const rowAt = (index: number): Shapes['Key'] | undefined => {
    const place = pages.indexOf(Math.floor(index / KEY_PAGE))
    const query = shown[place]
    return query?.isPlaceholderData ? undefined : query?.data?.keys[index % KEY_PAGE]
  }
  return { first, rowAt, onShow }
}
