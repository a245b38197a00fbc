import { describe, expect, it } from 'vitest'
import { describeKey, EMPTY_KEY } from './key-form.ts'

const NOW = Date.parse('2026-11-15T12:00:00.000Z')

describe('the form for a key', () => {
  it('[Q7b] sends only the fields that are filled in', () => {
    expect(describeKey({ ...EMPTY_KEY, name: ' CI ' }, NOW)).toStrictEqual({ name: 'CI' })
  })

  it('[Q7b] sends the expiration, models and rate limits', () => {
    const form = { name: 'CI', days: '7', models: ['a'], requestsPerMinute: '60', tokensPerMinute: '', jobsAtOnce: '2' }
    expect(describeKey(form, NOW)).toStrictEqual({
      name: 'CI',
      expiresAt: '2026-11-22T12:00:00.000Z',
      models: ['a'],
      limits: { requestsPerMinute: 60, jobsAtOnce: 2 },
    })
  })
})
