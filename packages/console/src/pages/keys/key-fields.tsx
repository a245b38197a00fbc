import type { Schemas } from '../../api/client.ts'
import { formatDateTime } from '../../lib/format.ts'
import { SelectField, TextField } from '../../parts/control/field.tsx'
import { BudgetField } from '../../session/budget.tsx'
import { KEEP_EXPIRY, type KeyForm } from './key-form.ts'
import { KeyModels } from './key-models.tsx'

interface KeyFieldsProps {
  form: KeyForm
  onChange: (form: KeyForm) => void
  /** The key that exists. */
  apiKey?: Schemas['Key']
}

const EXPIRIES = [
  ['', 'Never'],
  ['7', 'After 7 days'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
] as const

const LIMITS = [
  ['requestsPerMinute', 'Requests per minute'],
  ['tokensPerMinute', 'Tokens per minute'],
  ['jobsAtOnce', 'Concurrent requests'],
] as const

export function KeyFields({ form, onChange, apiKey }: KeyFieldsProps) {
  const set = (name: keyof KeyForm) => (text: string) => onChange({ ...form, [name]: text })
  const advice = apiKey ? {} : { placeholder: 'Support chat', hint: 'For example, the app that will use it.' }
  return (
    <>
      <TextField
        label="Name"
        required
        maxLength={128}
        autoComplete="off"
        {...advice}
        value={form.name}
        onText={set('name')}
      />
      <SelectField label="Expires" value={form.days} onText={set('days')} options={EXPIRIES}>
        {apiKey?.expiresAt && <option value={KEEP_EXPIRY}>{formatDateTime(apiKey.expiresAt)}</option>}
      </SelectField>
      <KeyModels chosen={form.models} onChange={(models) => onChange({ ...form, models })} />
      <details open={apiKey !== undefined}>
        <summary className="w-fit font-[550] rounded-small">Limits</summary>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-7.5 items-end pt-7.5">
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
              onText={set(name)}
            />
          ))}
          <BudgetField value={form.tokensPerMonth} onText={set('tokensPerMonth')} />
        </div>
      </details>
    </>
  )
}
