// The form for a new key, and the request it becomes.

import type { Schemas } from '../../api/client.ts'
import type { paths } from '../../api/schema.d.ts'

export interface KeyForm {
  name: string
  /** Days until it expires. Empty means never. */
  days: string
  /** Undefined means all models. */
  models: readonly string[] | undefined
  requestsPerMinute: string
  tokensPerMinute: string
  jobsAtOnce: string
  tokensPerMonth: string
}

/** Leaves the expiry of a key as it is. */
export const KEEP_EXPIRY = 'keep'

const LIMITS = ['requestsPerMinute', 'tokensPerMinute', 'jobsAtOnce', 'tokensPerMonth'] as const
type Wanted = paths['/organizations/{organization}/keys']['post']['requestBody']['content']['application/json']

const DAY_MS = 86_400_000

export const EMPTY_KEY: KeyForm = {
  name: '',
  days: '',
  models: undefined,
  requestsPerMinute: '',
  tokensPerMinute: '',
  jobsAtOnce: '',
  tokensPerMonth: '',
}

/** A key has a name, and can use at least one model. */
export function isComplete({ name, models }: KeyForm): boolean {
  return name.trim() !== '' && models?.length !== 0
}

export function describeKey(form: KeyForm, now: number): Wanted {
  const given = LIMITS.filter((name) => form[name].trim() !== '').map((name) => [name, Number(form[name])])
  const limits: Schemas['KeyLimits'] = Object.fromEntries(given)
  return {
    name: form.name.trim(),
    ...(form.days !== '' && { expiresAt: new Date(now + Number(form.days) * DAY_MS).toISOString() }),
    ...(form.models && { models: [...form.models] }),
    ...(Object.keys(limits).length > 0 && { limits }),
  }
}

/** The form for a key that exists. */
export function formOf({ name, models, limits, expiresAt }: Schemas['Key']): KeyForm {
  return {
    ...EMPTY_KEY,
    ...Object.fromEntries(Object.entries(limits).map(([limit, value]) => [limit, String(value)])),
    name,
    days: expiresAt === null ? '' : KEEP_EXPIRY,
    models: models ?? undefined,
  }
}

type Change = paths['/organizations/{organization}/keys/{key}']['patch']['requestBody']['content']['application/json']

/** Everything in the form, including what was emptied. */
export function describeChange(form: KeyForm, now: number): Change {
  const isKept = form.days === KEEP_EXPIRY
  const wanted = describeKey({ ...form, days: isKept ? '' : form.days }, now)
  return { limits: {}, models: null, ...(!isKept && { expiresAt: null }), ...wanted }
}
