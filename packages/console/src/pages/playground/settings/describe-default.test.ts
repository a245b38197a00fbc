import { describe, expect, it } from 'vitest'
import { describeDefault } from './describe-default.ts'
import type { Defaults } from './describe-default.ts'

const NONE = { temperature: null, topP: null, maxTokens: null } as Defaults['own']

describe('an empty setting', () => {
  it('shows the model’s own default before the recommended one', () => {
    const recommended = { ...NONE, temperature: 0.7, topP: 0.9 }
    const defaults = { own: { ...NONE, temperature: 0 }, recommended }
    expect(describeDefault('temperature', defaults)).toBe('0 (default)')
    expect(describeDefault('topP', defaults)).toBe('0.9 (default)')
  })

  it('shows what engines usually do if the model has no default', () => {
    const defaults = { own: NONE, recommended: NONE }
    expect(describeDefault('temperature', defaults)).toBe('usually 1')
    expect(describeDefault('maxTokens', defaults)).toBe('no limit')
  })

  it('shows no value while it is unknown', () => {
    expect(describeDefault('temperature', undefined)).toBe('default')
    expect(describeDefault('choices', undefined)).toBe('1')
  })
})
