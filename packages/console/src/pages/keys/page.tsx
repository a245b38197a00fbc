import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { oneKey, type KeyQuestion } from '../../api/queries/keys.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { Button } from '../../parts/control/button.tsx'
import { FilterBar, Segments } from '../../parts/control/filter-bar.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Empty, Loaded } from '../../parts/feedback/states.tsx'
import { VirtualTable, type RowOrder } from '../../parts/table/virtual-table.tsx'
import { useSession } from '../../session/session.ts'
import { CreateKeyDialog } from './create-dialog.tsx'
import { useKeyColumns, type KeyOrder } from './key-columns.tsx'
import { KeySheet } from './key-sheet.tsx'
import { NewKeyDialog, type NewSecret } from './new-key-dialog.tsx'
import { useKeyRows } from './use-key-rows.ts'

export function KeysPage() {
  const { isAdmin } = useSession()
  const { add, isAdding, close, opened } = useListSearch()
  const [made, setMade] = useState<NewSecret>()
  return (
    <Page
      title="Keys"
      about={
        isAdmin
          ? 'Apps authenticate with an API key. You can see the keys of everyone in the organization.'
          : 'Apps authenticate with an API key. These are your own keys.'
      }
      actions={
        <Button kind="primary" icon={Plus} onClick={add}>
          Create a key
        </Button>
      }
    >
      <KeyList />
      {isAdding && (
        <CreateKeyDialog
          onClose={close}
          onMade={(key) => {
            close()
            setMade(key)
          }}
        />
      )}
      {opened !== undefined && <OpenKey id={opened} onClose={close} onRotated={setMade} />}
      {made && <NewKeyDialog {...made} onClose={() => setMade(undefined)} />}
    </Page>
  )
}

const STATES = ['active', 'disabled', 'ended'] as const
const TITLES = { active: 'Active', disabled: 'Disabled', ended: 'Revoked or expired' }

function KeyList() {
  const { filter, setFilter, state: chosen, setState, open } = useListSearch()
  const search = useDeferredValue(filter)
  const state = STATES.find((one) => one === chosen) ?? 'active'
  const [order, setOrder] = useState<RowOrder<KeyOrder>>({ by: 'created', isDescending: true })
  const question = useMemo<KeyQuestion>(
    () => ({
      state,
      sort: order.by,
      order: order.isDescending ? 'descending' : 'ascending',
      ...(search.trim() !== '' && { search: search.trim().slice(0, 128) }),
    }),
    [state, order, search],
  )
  const { first, rowAt, onShow } = useKeyRows(question)
  const columns = useKeyColumns(open)
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
            <VirtualTable
              // Starts again at the top when other keys are asked for.
              key={JSON.stringify(question)}
              label="Keys"
              columns={columns}
              count={counts[state]}
              rowAt={rowAt}
              keyOf={({ id }) => id}
              onShow={onShow}
              order={order}
              onOrder={setOrder}
              none={search === '' ? `No ${TITLES[state].toLowerCase()} keys.` : 'No key matches this filter.'}
            />
          </>
        )
      }
    </Loaded>
  )
}

interface OpenKeyProps {
  id: string
  onClose: () => void
  onRotated: (secret: NewSecret) => void
}

function OpenKey({ id, onClose, onRotated }: OpenKeyProps) {
  const { organization } = useSession()
  const { data } = useQuery(oneKey(organization.id, id))
  return data && <KeySheet key={data.id} apiKey={data} onClose={onClose} onRotated={onRotated} />
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
