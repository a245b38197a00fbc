import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useListSearch } from '../../lib/list-search.ts'
import { FormDialog } from '../../parts/dialog/form.tsx'
import { Button } from '../../parts/control/button.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { KeyList } from './key-list.tsx'
import { KeySheet } from './key-sheet.tsx'
import { NewKeyDialog, type NewSecret } from './new-key-dialog.tsx'
import { useChange } from '../../session/use-change.ts'
import { describeKey, EMPTY_KEY, isComplete } from './key-form.ts'
import { KeyFields } from './key-fields.tsx'

export function KeysPage() {
  const { isAdmin } = useSession()
  const { add, isAdding, close, opened } = useListSearch()
  const { data: open } = useRead('/keys/{key}', { key: opened ?? '' }, { enabled: opened !== undefined })
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
      <KeyList onRotated={setMade} />
      {isAdding && <CreateKeyDialog onClose={close} onMade={setMade} />}
      {open && <KeySheet key={open.id} apiKey={open} onClose={close} onRotated={setMade} />}
      {made && <NewKeyDialog made={made} onClose={() => setMade(undefined)} />}
    </Page>
  )
}

interface CreateProps {
  onClose: () => void
  onMade: (secret: NewSecret) => void
}

function CreateKeyDialog({ onClose, onMade }: CreateProps) {
  const [form, setForm] = useState(EMPTY_KEY)
  const { mutateAsync } = useChange(['keys'], async (own) => own.post('/keys', { body: describeKey(form, Date.now()) }))
  return (
    <FormDialog
      title="Create an API key"
      about="You see the key once, right after you create it."
      act={async () => onMade(await mutateAsync())}
      action="Create key"
      disabled={!isComplete(form)}
      onClose={onClose}
    >
      <KeyFields form={form} onChange={setForm} />
    </FormDialog>
  )
}
