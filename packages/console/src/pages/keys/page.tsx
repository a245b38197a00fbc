import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { keys as keysQuery } from '../../api/queries.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { filterRows } from '../../lib/order-rows.ts'
import { Button } from '../../parts/button.tsx'
import { FilterBar, Segments } from '../../parts/filter-bar.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { useSession } from '../../session/session.ts'
import { CreateKeyDialog } from './create-dialog.tsx'
import { useKeyColumns } from './key-columns.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

type Key = Shapes['Key']

export function KeysPage() {
  const { organization, isAdmin } = useSession()
  const query = useQuery(keysQuery(organization.id))
  const { add, isAdding, close } = useListSearch()
  const [made, setMade] = useState<{ name: string; secret: string }>()
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
      <Loaded query={query}>{(keys) => (keys.length === 0 ? <NoKeys /> : <KeyList keys={keys} />)}</Loaded>
      {isAdding && (
        <CreateKeyDialog
          onClose={close}
          onMade={(key) => {
            close()
            setMade(key)
          }}
        />
      )}
      {made && <NewKeyDialog {...made} onClose={() => setMade(undefined)} />}
    </Page>
  )
}

function KeyList({ keys }: { keys: readonly Key[] }) {
  const { filter, slowFilter, setFilter, state: chosen, setState } = useListSearch()
  const columns = useKeyColumns()
  const active = keys.filter(({ state }) => state === 'active')
  const ended = keys.filter(({ state }) => state !== 'active')
  const state = chosen === 'ended' && ended.length > 0 ? 'ended' : 'active'
  const rows = filterRows(
    state === 'active' ? active : ended,
    slowFilter,
    ({ name, hint, createdBy }) => `${name} ${hint} ${createdBy.name}`,
  )
  return (
    <>
      <FilterBar label="Filter keys" value={filter} onChange={setFilter}>
        {ended.length > 0 && (
          <Segments
            label="Status"
            value={state}
            onChange={setState}
            choices={[
              { value: 'active', label: 'Active', count: active.length },
              { value: 'ended', label: 'Revoked or expired', count: ended.length },
            ]}
          />
        )}
      </FilterBar>
      <Table
        label="Keys"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        none={slowFilter === '' ? 'No active keys.' : 'No key matches this filter.'}
      />
    </>
  )
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
