import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../api/client.ts'
import { describeChange, describeKey, EMPTY_KEY, formOf } from './key-form.ts'

const NOW = Date.parse('2026-11-15T12:00:00.000Z')

describe('the form for a key', () => {
  it('sends only the fields that are filled in', () => {
    expect(describeKey({ ...EMPTY_KEY, name: ' CI ' }, NOW)).toStrictEqual({ name: 'CI' })
  })

  it('sends the expiration, models and rate limits', () => {
    const limits = { requestsPerMinute: '60', tokensPerMinute: '', jobsAtOnce: '2', tokensPerMonth: '5000' }
    expect(describeKey({ name: 'CI', days: '7', models: ['a'], ...limits }, NOW)).toStrictEqual({
      name: 'CI',
      expiresAt: '2026-11-22T12:00:00.000Z',
      models: ['a'],
      limits: { requestsPerMinute: 60, jobsAtOnce: 2, tokensPerMonth: 5_000 },
    })
  })

  it('removes the limits that were emptied and keeps the expiry unless it was changed', () => {
    const kept = { name: 'CI', models: ['a'], limits: { requestsPerMinute: 60 } }
    const form = formOf({ ...kept, expiresAt: '2026-12-01T00:00:00.000Z' } as Schemas['Key'])
    expect(describeChange({ ...form, requestsPerMinute: '' }, NOW)).toStrictEqual({ ...kept, limits: {} })
    const changed = describeChange({ ...form, days: '', models: undefined }, NOW)
    expect(changed).toStrictEqual({ ...kept, models: null, expiresAt: null })
  })
})
