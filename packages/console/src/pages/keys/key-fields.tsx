import { formatMoment } from '../../lib/format.ts'
import { SelectField, TextField } from '../../parts/control/field.tsx'
import { BudgetField } from '../../session/budget.tsx'
import { KEEP_EXPIRY, type KeyForm } from './key-form.ts'

interface PartProps {
  form: KeyForm
  onChange: (form: KeyForm) => void
}

export function NameField({ form, onChange, ...rest }: PartProps & { placeholder?: string; hint?: string }) {
  return (
    <TextField
      label="Name"
      required
      maxLength={128}
      autoComplete="off"
      {...rest}
      value={form.name}
      onText={(text) => onChange({ ...form, name: text })}
    />
  )
}

/** `current` is the expiry of a key that exists. */
export function ExpiryField({ form, onChange, current = null }: PartProps & { current?: string | null }) {
  return (
    <SelectField label="Expires" value={form.days} onText={(text) => onChange({ ...form, days: text })}>
      {current !== null && <option value={KEEP_EXPIRY}>{formatMoment(current)}</option>}
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

export function LimitFields({ form, onChange, isOpen = false }: PartProps & { isOpen?: boolean }) {
  return (
    <details open={isOpen}>
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
            onText={(text) => onChange({ ...form, [name]: text })}
          />
        ))}
        <BudgetField value={form.tokensPerMonth} onText={(tokensPerMonth) => onChange({ ...form, tokensPerMonth })} />
      </div>
    </details>
  )
}
