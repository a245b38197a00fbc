import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/control/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog/dialog.tsx'
import { Problem } from '../../parts/feedback/states.tsx'
import { describeKey, EMPTY_KEY, isComplete } from './key-form.ts'
import { ExpiryField, LimitFields, NameField } from './key-fields.tsx'
import { ModelChoice } from './model-choice.tsx'
import type { NewSecret } from './new-key-dialog.tsx'
import './keys.css'

interface CreateProps {
  onClose: () => void
  onMade: (secret: NewSecret) => void
}

export function CreateKeyDialog({ onClose, onMade }: CreateProps) {
  const [form, setForm] = useState(EMPTY_KEY)
  const { mutateAsync } = useChange(['keys'], async (path) => {
    const body = describeKey(form, Date.now())
    return send(api.POST('/organizations/{organization}/keys', { params: { path }, body }))
  })
  const { submit, isBusy, failure } = useSubmit(async () => {
    const { key, secret } = await mutateAsync()
    onMade({ apiKey: key, secret })
  })
  return (
    <Dialog title="Create an API key" about="You see the key once, right after you create it." onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <NameField
          form={form}
          onChange={setForm}
          placeholder="Support chat"
          hint="For example, the app that will use it."
        />
        <ExpiryField form={form} onChange={setForm} />
        <ModelChoice chosen={form.models} onChange={(models) => setForm({ ...form, models })} />
        <LimitFields form={form} onChange={setForm} />
        {failure !== undefined && <Problem error={failure} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={!isComplete(form)}>
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
