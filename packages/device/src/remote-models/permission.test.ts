import { describe, expect, it } from 'vitest'
import { decideRemoteChanges, decideRemoteModels } from './permission.ts'

const serving = { allowed: true } as const

describe('changing models from the console', () => {
  it('[U93] is allowed by default on a machine that was added with a token, and on no other', () => {
    expect(decideRemoteModels({ setting: 'auto', hasToken: true, serving })).toEqual({ allowed: true })
    expect(decideRemoteModels({ setting: 'auto', hasToken: false, serving })).toEqual({
      allowed: false,
      why: 'it was added with a code, so its owner decides. To allow it, the owner starts the app with --remote-models on',
    })
  })

  it('[U93] is what the owner says it is', () => {
    expect(decideRemoteModels({ setting: 'on', hasToken: false, serving }).allowed).toBe(true)
    expect(decideRemoteModels({ setting: 'off', hasToken: true, serving }).allowed).toBe(false)
  })

  it('[U93] is not allowed while the owner has paused the machine', () => {
    const paused = { allowed: false, why: 'paused by its owner' } as const
    expect(decideRemoteModels({ setting: 'on', hasToken: true, serving: paused })).toEqual({
      allowed: false,
      why: 'it is not serving right now: paused by its owner',
    })
  })

  it('[U93] is decided by its owner for chat templates too, whether or not the machine serves', () => {
    expect(decideRemoteChanges({ setting: 'off', hasToken: true }).allowed).toBe(false)
    expect(decideRemoteChanges({ setting: 'auto', hasToken: false }).allowed).toBe(false)
    expect(decideRemoteChanges({ setting: 'auto', hasToken: true }).allowed).toBe(true)
  })
})
