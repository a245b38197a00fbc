import { describe, expect, it } from 'vitest'
import { SignInState } from './sign-in-state.ts'

function open() {
  const state = { isSetUp: false, reads: 0, now: 0 }
  const signIn = new SignInState(
    {
      isSetUp: async () => {
        state.reads += 1
        return state.isSetUp
      },
    },
    () => state.now,
  )
  return { state, signIn }
}

describe('the state of the sign-in page', () => {
  it('is read once, however many ask at the same moment', async () => {
    const { state, signIn } = open()
    expect(await Promise.all(Array.from({ length: 100 }, () => signIn.isSetUp()))).toEqual(Array(100).fill(false))
    expect(state.reads).toBe(1)
  })

  it('is read again after a second, or after ten once someone can sign in', async () => {
    const { state, signIn } = open()
    await signIn.isSetUp()
    state.isSetUp = true
    state.now = 999
    expect(await signIn.isSetUp()).toBe(false)
    state.now = 1_000
    expect(await signIn.isSetUp()).toBe(true)
    state.isSetUp = false
    state.now = 10_999
    expect([await signIn.isSetUp(), state.reads]).toEqual([true, 2])
    state.now = 11_000
    expect([await signIn.isSetUp(), state.reads]).toEqual([false, 3])
  })

  it('changes at once when someone sets up this gateway', async () => {
    const { state, signIn } = open()
    await signIn.isSetUp()
    signIn.note(true)
    expect([await signIn.isSetUp(), state.reads]).toEqual([true, 1])
  })

  it('is read again after a failure', async () => {
    const failures = [new Error('down')]
    const signIn = new SignInState({
      isSetUp: async () => {
        const failure = failures.pop()
        if (failure) throw failure
        return true
      },
    })
    await expect(signIn.isSetUp()).rejects.toThrow('down')
    expect(await signIn.isSetUp()).toBe(true)
  })
})
