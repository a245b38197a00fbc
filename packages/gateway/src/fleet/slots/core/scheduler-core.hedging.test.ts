import { describe, expect, it } from 'vitest'
import { Stage } from './stage.ts'

/** A job whose device has not answered for a second, and the same job on another device. */
function hedged(): Stage {
  const stage = new Stage().up('frozen').submit('a').up('other')
  stage.take()
  expect(stage.pass(1_000).take()).toEqual(['offer a to other'])
  return stage
}

const first = { device: 'frozen', epoch: 1, job: 'a', attempt: 1 }

describe('an offer that is not answered within a second', () => {
  it('[S49] is also made to another device, and not before', () => {
    const stage = new Stage().up('frozen').submit('a').up('other')
    stage.take()
    expect(stage.pass(999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['offer a to other'])
    expect(stage.core.stats(stage.now)).toMatchObject({ running: 1, leases: 2, hedges: { offered: 1, won: 0 } })
  })

  it('[S49] is made to another device as soon as one is free', () => {
    const stage = new Stage().up('frozen').submit('a')
    stage.take()
    expect(stage.pass(3_000).take()).toEqual([])
    expect(stage.up('other').take()).toEqual(['offer a to other'])
  })

  it('[S49] goes before the jobs that wait', () => {
    const stage = new Stage().up('frozen').submit('a').pass(1_000).submit('b')
    stage.take()
    expect(stage.up('other').take()).toEqual(['offer a to other'])
  })

  it('[S49] changes nothing when no other device is free', () => {
    const stage = new Stage().up('frozen').submit('a').pass(9_000)
    expect(stage.take()).toEqual(['offer a to frozen'])
    expect(stage.accept('a').take()).toEqual([])
    expect(stage.holds('a')).toBe(true)
  })

  it('[S49] is made to two devices at most at the same time', () => {
    const stage = hedged().up('third')
    expect(stage.pass(5_000).take()).toEqual([])
    expect(stage.pass(4_000).take()).toEqual(['cancel a on frozen: timed-out', 'offer a to third'])
  })

  it('may take one more second for every 128,000 bytes of the request', () => {
    const stage = new Stage().up('slow')
    const ticket = { organization: 'acme', key: 'key', model: 'small', features: [], rerunnable: false }
    stage.core.submit({ ...ticket, job: 'a', cost: 1, promptSize: 1, prefixes: [] }, stage.now, 256_000)
    stage.up('other').take()
    expect(stage.pass(2_999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['offer a to other'])
  })

  it('[H81a] ends with the waiting time, even if that is shorter', () => {
    const stage = new Stage({ waitMs: 500 }).up('frozen').submit('a').up('other')
    stage.take()
    expect(stage.pass(500).take()).toEqual(['cancel a on frozen: timed-out', 'finish a: no-device'])
  })

  it('[H80a] is not made again when the model is disabled', () => {
    const stage = new Stage().up('frozen').submit('a').pass(1_000)
    stage.core.modelClosed('acme', 'small', stage.now)
    stage.take()
    expect(stage.up('other').take()).toEqual([])
  })
})

describe('a job that two devices were offered', () => {
  it('[S49] belongs to the second if it accepts first, and the first is told to stop', () => {
    const stage = hedged().accept('a')
    expect(stage.take()).toEqual(['cancel a on frozen: superseded'])
    stage.core.accepted(first, stage.now)
    expect(stage.core.holds(first)).toBe(false)
    expect(stage.holds('a')).toBe(true)
    expect(stage.core.stats(stage.now)).toMatchObject({ leases: 2, hedges: { offered: 1, won: 1 } })
  })

  it('[S49] belongs to the first if that accepts first after all', () => {
    const stage = hedged()
    const second = stage.reporter('a')
    stage.core.accepted(first, stage.now)
    expect(stage.take()).toEqual(['cancel a on other: superseded'])
    expect(stage.core.holds(second)).toBe(false)
    expect(stage.core.holds(first)).toBe(true)
    expect(stage.core.stats(stage.now).hedges).toEqual({ offered: 1, won: 0 })
  })

  it('[S31] keeps the slot of the other device until that confirms', () => {
    const stage = hedged().accept('a').submit('b')
    expect(stage.take()).toEqual(['cancel a on frozen: superseded'])
    expect(stage.confirm(first).take()).toEqual(['offer b to frozen'])
  })

  it('[S31] frees the slot of the other device when its link is lost', () => {
    const stage = hedged().accept('a').down('frozen')
    expect(stage.core.stats(stage.now)).toMatchObject({ leases: 1, suspect: 0 })
  })

  it.each<[string, (stage: Stage) => void]>([
    ['refuses', (stage) => stage.core.refused(first, 'busy', stage.now)],
    ['loses its link', (stage) => stage.down('frozen')],
    ['does not answer in time', (stage) => stage.pass(9_000)],
  ])('[S49] stays with the second when the first %s', (_, happen) => {
    const stage = hedged()
    happen(stage)
    stage.take()
    expect(stage.accept('a').take()).toEqual([])
    expect(stage.holds('a')).toBe(true)
  })

  it('[S49] waits again when both refuse', () => {
    const stage = hedged()
    stage.core.refused(first, 'unsupported', stage.now)
    stage.refuse('a', 'unsupported').take()
    expect(stage.core.stats(stage.now)).toMatchObject({ queued: 1, leases: 0 })
    expect(stage.up('third').take()).toEqual(['offer a to third'])
  })

  it('[H83a] stops on both when the client leaves', () => {
    const stage = hedged().cancel('a')
    expect(stage.take()).toEqual([
      'cancel a on frozen: client-gone',
      'cancel a on other: client-gone',
      'finish a: cancelled',
    ])
  })

  it('[H81a] stops on both when the waiting time is over', () => {
    const stage = new Stage({ waitMs: 5_000 }).up('frozen').submit('a').up('other').pass(1_000)
    stage.take()
    const effects = stage.pass(4_000).take()
    expect(effects.toSorted()).toEqual([
      'cancel a on frozen: timed-out',
      'cancel a on other: timed-out',
      'finish a: no-device',
    ])
  })
})

describe('a device that left an offer unanswered', () => {
  it('comes after all others', () => {
    const stage = hedged().accept('a').up('frozen', { epoch: 1, slots: 3 })
    stage.core.deviceModels('frozen', 1, [{ name: 'small', contextLength: 1, slots: 9, features: [] }], stage.now)
    stage.up('spare', { slots: 3, features: ['logprobs'] })
    stage.take()
    expect(stage.submit('b').submit('c').take()).toEqual(['offer b to spare', 'offer c to spare'])
  })

  it('still gets jobs when nobody else is free, and those get the next free device too', () => {
    const stage = new Stage().up('frozen', { slots: 2 }).submit('a').pass(1_000)
    stage.take()
    expect(stage.submit('b').take()).toEqual(['offer b to frozen'])
    expect(stage.up('other', { slots: 2 }).take()).toEqual(['offer a to other', 'offer b to other'])
  })

  it('is like any other once it answers', () => {
    const stage = new Stage().up('frozen', { slots: 8 }).submit('a').pass(1_000).accept('a')
    stage.up('spare', { slots: 2, features: ['logprobs'] }).take()
    expect(stage.submit('b').take()).toEqual(['offer b to frozen'])
  })
})
