import { describe, expect, it } from 'vitest'
import { describeChange, describeKey, EMPTY_KEY, formOf } from './key-form.ts'

const NOW = Date.parse('2026-11-15T12:00:00.000Z')

describe('the form for a key', () => {
  it('sends only the fields that are filled in', () => {
    expect(describeKey({ ...EMPTY_KEY, name: ' CI ' }, NOW)).toStrictEqual({ name: 'CI' })
  })

  it('sends the expiration, models and rate limits', () => {
    const form = {
      name: 'CI',
      days: '7',
      models: ['a'],
      requestsPerMinute: '60',
      tokensPerMinute: '',
      jobsAtOnce: '2',
      tokensPerMonth: '5000',
    }
    expect(describeKey(form, NOW)).toStrictEqual({
      name: 'CI',
      expiresAt: '2026-11-22T12:00:00.000Z',
      models: ['a'],
      limits: { requestsPerMinute: 60, jobsAtOnce: 2, tokensPerMonth: 5_000 },
    })
  })

  it('removes the limits that were emptied and keeps the expiry unless it was changed', () => {
    const key = {
      id: 'k',
      name: 'CI',
      hint: 'abcd',
      state: 'active' as const,
      createdBy: { person: 'p', name: 'Ada' },
      isYours: true,
      createdAt: '2026-11-01T00:00:00.000Z',
      expiresAt: '2026-12-01T00:00:00.000Z',
      lastUsedAt: null,
      models: ['a'],
      limits: { requestsPerMinute: 60 },
      previous: null,
    }
    const form = formOf(key)
    expect(describeChange({ ...form, requestsPerMinute: '' }, NOW)).toStrictEqual({
      name: 'CI',
      limits: {},
      models: ['a'],
    })
    expect(describeChange({ ...form, days: '', models: undefined }, NOW)).toStrictEqual({
      name: 'CI',
      limits: { requestsPerMinute: 60 },
      models: null,
      expiresAt: null,
    })
  })
})
