import { useState } from 'react'
import { api, send } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Problem } from '../../parts/states.tsx'
import { useSession } from '../../session/session.ts'
import { describeKey, EMPTY_KEY, type KeyForm } from './key-form.ts'
import { ModelChoice } from './model-choice.tsx'
import './keys.css'

interface CreateProps {
  onClose: () => void
  onMade: (key: { name: string; secret: string }) => void
}

export function CreateKeyDialog({ onClose, onMade }: CreateProps) {
  const { organization } = useSession()
  const [form, setForm] = useState(EMPTY_KEY)
  const { mutateAsync } = useChange(organization.id, ['keys'], async () => {
    const params = { path: { organization: organization.id } }
    return send(api.POST('/organizations/{organization}/keys', { params, body: describeKey(form, Date.now()) }))
  })
  const { submit, isBusy, failure } = useSubmit(async () => {
    const { key, secret } = await mutateAsync(undefined)
    onMade({ name: key.name, secret })
  })
  return (
    <Dialog title="Create an API key" about="You see the key once, right after you create it." onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          required
          maxLength={128}
          autoComplete="off"
          placeholder="Support chat"
          hint="For example, the app that will use it."
          value={form.name}
          onChange={(event) => setForm({ ...form, name: event.target.value })}
        />
        <ExpiryField form={form} onChange={setForm} />
        <ModelChoice chosen={form.models} onChange={(models) => setForm({ ...form, models })} />
        <LimitFields form={form} onChange={setForm} />
        {failure !== undefined && <Problem error={failure} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            isBusy={isBusy}
            disabled={form.name.trim() === '' || form.models?.length === 0}
          >
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface PartProps {
  form: KeyForm
  onChange: (form: KeyForm) => void
}

function ExpiryField({ form, onChange }: PartProps) {
  return (
    <SelectField
      label="Expires"
      value={form.days}
      onChange={(event) => onChange({ ...form, days: event.target.value })}
    >
      <option value="">Never</option>
      <option value="7">After 7 days</option>
      <option value="30">After 30 days</option>
      <option value="90">After 90 days</option>
      <option value="365">After a year</option>
    </SelectField>
  )
}

const LIMITS = [
  ['requestsPerMinute', 'Requests per minute'],
  ['tokensPerMinute', 'Tokens per minute'],
  ['jobsAtOnce', 'Concurrent requests'],
] as const

function LimitFields({ form, onChange }: PartProps) {
  return (
    <details className="limits">
      <summary>Rate limits</summary>
      <div className="limits-fields">
        {LIMITS.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            type="number"
            inputMode="numeric"
            min={1}
            max={1_000_000_000}
            step={1}
            placeholder="no limit"
            value={form[name]}
            onChange={(event) => onChange({ ...form, [name]: event.target.value })}
          />
        ))}
      </div>
    </details>
  )
}
