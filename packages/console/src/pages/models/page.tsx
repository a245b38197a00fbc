import { Link } from '@tanstack/react-router'
import { Box, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { Button } from '../../parts/control/button.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Empty, Loaded } from '../../parts/feedback/states.tsx'
import { FilteredTable } from '../../parts/table/filtered-table.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { AddDialog } from './add/add-dialog.tsx'
import { EnableDialog } from './add/enable-dialog.tsx'
import { useModelColumns } from './model-columns.tsx'
import { ModelSheet } from './sheet/model-sheet.tsx'

type Model = Schemas['Model']

export function ModelsPage() {
  const { isAdmin } = useSession()
  const query = useRead('/models')
  const { add, isAdding, close, open, show, opened } = useListSearch()
  const [isEnabling, setEnabling] = useState(false)
  const columns = useModelColumns(open)
  const shown = query.data?.models.find(({ name }) => name === opened)
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
        {({ models }) =>
          models.length === 0 ? (
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
              Connect a device first. Then add a model: your devices download it, and it accepts requests as soon as one
              of them has it.
            </Empty>
          ) : (
            <FilteredTable
              label="Models"
              filter="Filter models"
              textOf={({ name, ownedBy }) => `${name} ${ownedBy ?? ''}`}
              groups={GROUPS}
              columns={columns}
              rows={models}
              keyOf={({ name }) => name}
              sortedBy="Model"
              none="No model matches this filter."
            />
          )
        }
      </Loaded>
      {isAdding && isAdmin && !isEnabling && (
        <AddDialog
          models={query.data?.models ?? []}
          onClose={close}
          onAdded={show}
          onEnableOnly={() => setEnabling(true)}
        />
      )}
      {isAdding && isAdmin && isEnabling && (
        <EnableDialog
          models={query.data?.models ?? []}
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

const GROUPS = [
  { value: 'all', label: 'All', has: () => true },
  { value: 'enabled', label: 'Enabled', has: ({ state }: Model) => state === 'enabled' },
  { value: 'adding', label: 'Adding', has: ({ state }: Model) => state === 'adding', isRare: true },
  { value: 'disabled', label: 'Disabled', has: ({ state }: Model) => state === 'disabled' },
  { value: 'offered', label: 'Available', has: ({ state }: Model) => state === 'offered' },
]
