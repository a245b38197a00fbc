import { describe, expect, it } from 'vitest'
import { CONFLICT_MS, TakeOvers } from './take-overs.ts'

/** One place, and the boot that has it. */
function open() {
  const takeOvers = new TakeOvers()
  let holder = ''
  let now = 0
  return {
    takeOvers,
    pass: (ms: number) => (now += ms),
    leave: () => (holder = ''),
    /** Whether the boot has the place now. */
    dial: (boot: string): boolean => {
      const isAllowed =
        holder === '' || takeOvers.allow({ device: 'd', holder, boot, address: `address of ${boot}` }, now)
      if (isAllowed) holder = boot
      return isAllowed
    },
    conflict: () => takeOvers.conflictOf('d', now),
  }
}

/** The machines have taken each other's place until one was refused. */
function openConflicting() {
  const opened = open()
  for (const boot of ['a', 'b', 'a', 'b', 'a']) opened.dial(boot)
  return opened
}

describe('two machines with one credential', () => {
  it('are still told apart when they come back slowly', () => {
    const { dial, pass } = open()
    const results = ['a', 'b', 'a', 'b', 'a', 'a', 'a'].map((boot) => {
      pass(3 * 60_000)
      return dial(boot)
    })
    expect(results).toEqual([true, true, true, true, false, false, false])
  })

  it('leave the place to the other one when it is free', () => {
    const { dial, leave } = openConflicting()
    leave()
    expect(dial('a')).toBe(true)
  })

  it('are forgotten after an hour without another try', () => {
    const { dial, pass, conflict, takeOvers } = openConflicting()
    pass(CONFLICT_MS - 1)
    expect(conflict()).toBeDefined()
    pass(1)
    expect(conflict()).toBeUndefined()
    takeOvers.tidy(CONFLICT_MS)
    expect(dial('a')).toBe(true)
  })

  it('are forgotten when the device is removed', () => {
    const { conflict, takeOvers } = openConflicting()
    takeOvers.forget('d')
    expect(conflict()).toBeUndefined()
  })
})

describe('a machine of its own', () => {
  it('is never refused when it reconnects, however often', () => {
    const { dial } = open()
    expect(Array.from({ length: 100 }, () => dial('a'))).not.toContain(false)
  })

  it('is never refused when it restarts, however often', () => {
    const { dial } = open()
    expect(Array.from({ length: 100 }, (_, start) => dial(`start ${start}`))).not.toContain(false)
  })

  it('is not refused when it reconnects while another machine is', () => {
    const { dial } = openConflicting()
    expect(['b', 'b', 'b', 'b'].map(dial)).toEqual([true, true, true, true])
  })
})
