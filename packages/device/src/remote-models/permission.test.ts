import { describe, expect, it } from 'vitest'
import { decideRemoteChanges, decideRemoteModels } from './permission.ts'

describe('changing models and chat templates from the console', () => {
  it.each([
    ['auto', true, true],
    ['auto', false, false],
    ['on', false, true],
    ['off', true, false],
  ] as const)('with the setting %s on a machine that was added with a token (%s): %s', (setting, hasToken, may) => {
    const decided = decideRemoteChanges(setting, hasToken)
    expect(decided.allowed).toBe(may)
    if (!decided.allowed) expect(decided.why).toMatch(/its owner .*To allow it, the owner (removes|starts)/)
  })

  it('is not allowed for models while the owner has paused the machine', () => {
    const paused = { allowed: false, why: 'paused by its owner' } as const
    expect(decideRemoteModels({ allowed: true }, paused)).toEqual({
      allowed: false,
      why: 'it is not serving right now: paused by its owner',
    })
  })
})
