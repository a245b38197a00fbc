import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/control/button.tsx'
import { Problem } from '../../parts/feedback/states.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { ExpiryField, LimitFields, NameField } from './key-fields.tsx'
import { describeChange, formOf, isComplete } from './key-form.ts'
import { ModelChoice } from './model-choice.tsx'
import { useKeyChanges } from './use-key-changes.ts'

/** Name, expiry, models and limits. They count from the next request on. */
export function KeySettings({ apiKey }: { apiKey: Shapes['Key'] }) {
  const saved = formOf(apiKey)
  const [form, setForm] = useState(saved)
  const { save } = useKeyChanges(apiKey)
  const { submit, isBusy, failure } = useSubmit(async () => {
    setForm(formOf(await save(describeChange(form, Date.now()))))
    showToast('Key saved')
  })
  const isChanged = JSON.stringify(form) !== JSON.stringify(saved)
  return (
    <section className="stack-small">
      <h3>Settings</h3>
      <form className="stack" onSubmit={submit}>
        <NameField form={form} onChange={setForm} />
        <ExpiryField form={form} onChange={setForm} current={apiKey.expiresAt} />
        <ModelChoice chosen={form.models} onChange={(models) => setForm({ ...form, models })} />
        <LimitFields form={form} onChange={setForm} isOpen />
        {failure !== undefined && <Problem error={failure} />}
        <div className="row">
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={!isChanged || !isComplete(form)}>
            Save changes
          </Button>
          {isChanged && <Button onClick={() => setForm(saved)}>Discard</Button>}
        </div>
      </form>
    </section>
  )
}
