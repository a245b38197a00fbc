import { Plus } from 'lucide-react'
import { useState } from 'react'
import { oneKey } from '../../api/queries/keys.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { Form } from '../../parts/dialog/form.tsx'
import { Button } from '../../parts/control/button.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { KeyList } from './key-list.tsx'
import { KeySheet } from './key-sheet.tsx'
import { NewKeyDialog, type NewSecret } from './new-key-dialog.tsx'
import { useChange } from '../../session/use-change.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { describeKey, EMPTY_KEY, isComplete } from './key-form.ts'
import { ExpiryField, LimitFields, NameField } from './key-fields.tsx'
import { ModelChoice } from './model-choice.tsx'

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
      <KeyList onRotated={setMade} />
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

interface OpenKeyProps {
  id: string
  onClose: () => void
  onRotated: (secret: NewSecret) => void
}

function OpenKey({ id, onClose, onRotated }: OpenKeyProps) {
  const { data } = useRead(oneKey, id)
  return data && <KeySheet key={data.id} apiKey={data} onClose={onClose} onRotated={onRotated} />
}

interface CreateProps {
  onClose: () => void
  onMade: (secret: NewSecret) => void
}

function CreateKeyDialog({ onClose, onMade }: CreateProps) {
  const [form, setForm] = useState(EMPTY_KEY)
  const { mutateAsync } = useChange(['keys'], async (own) => own.post('/keys', { body: describeKey(form, Date.now()) }))
  const act = async () => {
    const { key, secret } = await mutateAsync()
    onMade({ apiKey: key, secret })
  }
  return (
    <Dialog title="Create an API key" about="You see the key once, right after you create it." onClose={onClose}>
      <Form act={act} action="Create key" disabled={!isComplete(form)} onClose={onClose}>
        <NameField
          form={form}
          onChange={setForm}
          placeholder="Support chat"
          hint="For example, the app that will use it."
        />
        <ExpiryField form={form} onChange={setForm} />
        <ModelChoice chosen={form.models} onChange={(models) => setForm({ ...form, models })} />
        <LimitFields form={form} onChange={setForm} />
      </Form>
    </Dialog>
  )
}
