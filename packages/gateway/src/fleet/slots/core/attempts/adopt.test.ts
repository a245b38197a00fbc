import { describe, expect, it } from 'vitest'
import type { StatedAttempt, StatedJob } from '../../../terms/stated-job.ts'
import { NEW_COURSE } from '../../../terms/job.ts'
import { Stage, model } from '../stage.ts'

const FILE = { digest: 'f1', contextLength: 4096 }
const RESUMING = { models: [{ ...model('small', 1, ['resume']), digest: 'f1' }] }

function stated(job: string, more: Partial<StatedJob> = {}): StatedJob {
  const ticket = { job, organization: 'acme', key: 'key', model: 'small', features: [], rerunnable: false, cost: 100 }
  return {
    ticket: { ...ticket, promptSize: 1_000, prefixes: [] },
    requestBytes: 0,
    ageMs: 0,
    startedMsAgo: undefined,
    attempt: 0,
    course: NEW_COURSE,
    hasShown: false,
    isRecordable: true,
    held: undefined,
    ...more,
  }
}

function running(more: Partial<StatedAttempt> = {}): StatedAttempt {
  const run = { acceptedMsAgo: 0, isLoading: false, nextSequence: 2, promptTokens: undefined, deliveredTokens: 2 }
  return { attempt: 1, device: 'one', epoch: 1, file: undefined, run, isLost: false, ...more }
}

function adopt(stage: Stage, ...jobs: StatedJob[]): Stage {
  for (const job of jobs) stage.core.adopt(job, stage.now)
  stage.core.settle(stage.now)
  return stage
}

const reporter = { device: 'one', epoch: 1, job: 'a', attempt: 1 }

describe('a waiting job that is adopted', () => {
  it('[N50] keeps its place: it goes before jobs submitted after it', () => {
    const stage = new Stage().pass(5_000).submit('b')
    adopt(stage, stated('a', { ageMs: 3_000 }))
    expect(stage.up('one').take()).toEqual(['offer a to one'])
  })

  it('[N50] keeps its deadline', () => {
    const stage = new Stage({ waitMs: 10_000 }).pass(20_000)
    adopt(stage, stated('a', { ageMs: 9_000 }))
    expect(stage.pass(999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['finish a: no-device'])
  })

  it('[N50] is offered under a number that was not used before', () => {
    const stage = new Stage().up('one')
    adopt(stage, stated('a', { attempt: 4 }))
    expect(stage.reporter('a').attempt).toBe(5)
  })

  it('[N50] has lost its reply if nobody can continue what its client has', () => {
    const stage = new Stage().up('one')
    adopt(stage, stated('a', { attempt: 1, hasShown: true }))
    expect(stage.take()).toEqual(['finish a: device-lost'])
  })

  it('[N50] waits for a device that can continue what its client has', () => {
    const stage = new Stage().up('one')
    adopt(stage, stated('a', { attempt: 1, hasShown: true, course: { ...NEW_COURSE, begun: FILE, begunTokens: 2 } }))
    expect(stage.pass(14_999).take()).toEqual([])
    stage.up('two', RESUMING)
    expect(stage.core.effects.at(-1)).toMatchObject({ type: 'offer', attempt: 2, file: FILE, isSecond: false })
    expect(stage.take()).toEqual(['continue a on two'])
  })
})

describe('a running job that is adopted', () => {
  it('[N50] holds its slot and goes on where it was', () => {
    const stage = new Stage().up('one')
    adopt(stage, stated('a', { attempt: 1, hasShown: true, held: running() })).submit('b')
    expect(stage.take()).toEqual([])
    stage.core.delivered(reporter, { nextSequence: 3, tokens: 3, isShown: true }, stage.now)
    stage.core.ended(reporter, undefined, stage.now)
    expect(stage.take()).toEqual(['finish a: ended', 'offer b to one'])
  })

  it('[N50] may still be accepted if it was only offered', () => {
    const stage = new Stage().up('one')
    adopt(stage, stated('a', { attempt: 1, held: running({ run: undefined }) }))
    stage.core.accepted(reporter, stage.now)
    expect(stage.pass(30_000).take()).toEqual([])
    expect(stage.core.holds(reporter)).toBe(true)
  })

  it('[N50] keeps the number of its attempt, also if a later one was offered elsewhere', () => {
    const stage = new Stage().up('one')
    adopt(stage, stated('a', { attempt: 2, hasShown: true, held: running() }))
    expect(stage.core.holds(reporter)).toBe(true)
  })

  it('has lost its attempt if its device is gone', () => {
    const stage = new Stage()
    adopt(
      stage,
      stated('a', { attempt: 1, hasShown: true, held: running() }),
      stated('b', { attempt: 1, held: running({ run: undefined }) }),
    )
    expect(stage.take()).toEqual(['finish a: device-lost'])
    expect(stage.up('two').take()).toEqual(['offer b to two'])
  })

  it('is continued elsewhere if its device is gone and reported its tokens', () => {
    const stage = new Stage().up('two', RESUMING)
    adopt(stage, stated('a', { attempt: 1, hasShown: true, held: running({ file: FILE }) }))
    expect(stage.take()).toEqual(['continue a on two'])
  })

  it('has lost its attempt if its front says so: the loss counts, and the slot is free', () => {
    const stage = new Stage().up('one')
    const held = running({ isLost: true, run: { ...running().run!, nextSequence: 0, deliveredTokens: 0 } })
    const losses = (count: number) => ({ ...NEW_COURSE, losses: count })
    adopt(
      stage,
      stated('a', { attempt: 1, course: losses(2), held }),
      stated('b', { attempt: 1, course: losses(1), held }),
    )
    expect(stage.take()).toEqual(['finish a: device-lost', 'offer b to one'])
    expect(stage.accept('b').fail('b').take()).toEqual(['finish b: device-lost'])
  })

  it('[N50] keeps its time limit', () => {
    const stage = new Stage({ totalMs: 10_000 }).pass(20_000).up('one')
    adopt(stage, stated('a', { attempt: 1, startedMsAgo: 9_000, held: running() }))
    expect(stage.pass(1_000).take()).toEqual(['cancel a on one: timed-out', 'finish a: timed-out total'])
  })
})

describe('a job that is forgotten', () => {
  it.each(['waiting', 'offered', 'running', 'stopping'])('frees its slot while it is %s, without an end', (state) => {
    const stage = new Stage().submit('a')
    if (state !== 'waiting') stage.up('one')
    if (state === 'running' || state === 'stopping') stage.accept('a')
    if (state === 'stopping') stage.cancel('a')
    stage.take()
    stage.core.forget('a')
    stage.core.settle(stage.now)
    expect(stage.take()).toEqual([])
    expect(stage.core.stats(stage.now)).toMatchObject({ jobs: 0, queued: 0, leases: 0, suspect: 0 })
    expect(stage.up('one').submit('b').take()).toEqual(['offer b to one'])
  })

  it('is adopted as it is now if it was known before', () => {
    const stage = new Stage().up('one').up('two').submit('a').accept('a')
    stage.take()
    adopt(stage, stated('a', { attempt: 1, held: running() }))
    expect(stage.core.stats(stage.now)).toMatchObject({ jobs: 1, leases: 1 })
    expect(stage.take()).toEqual([])
  })
})

describe('an attempt that no job counts on', () => {
  const occupant = { ...reporter, model: 'small' }

  it('[S31] keeps its slot until it is over', () => {
    const stage = new Stage().up('one')
    expect(stage.core.occupy(occupant, stage.now)).toBe(true)
    expect(stage.submit('b').pass(60_000).take()).toEqual([])
    stage.core.vacate(reporter, stage.now)
    expect(stage.take()).toEqual(['offer b to one'])
  })

  it('[S31] takes no second slot, and none on a device that is gone', () => {
    const stage = new Stage().up('one').submit('a').accept('a')
    expect(stage.core.occupy({ ...occupant, ...stage.reporter('a') }, stage.now)).toBe(false)
    expect(stage.core.occupy({ ...occupant, device: 'two' }, stage.now)).toBe(false)
  })

  it('[S31] is gone with the link of its device', () => {
    const stage = new Stage().up('one')
    stage.core.occupy(occupant, stage.now)
    stage.core.deviceDown('one', 1, stage.now)
    expect(stage.core.stats(stage.now)).toMatchObject({ jobs: 0, leases: 0, suspect: 0 })
    expect(stage.up('one').submit('b').take()).toEqual(['offer b to one'])
    expect(() => stage.core.vacate(reporter, stage.now)).not.toThrow()
  })

  it('that is over changes nothing for a job that counts on it', () => {
    const stage = new Stage().up('one').submit('a').accept('a')
    stage.take()
    stage.core.vacate(stage.reporter('a'), stage.now)
    expect(stage.take()).toEqual([])
    expect(stage.holds('a')).toBe(true)
  })
})

describe('events that were judged elsewhere', () => {
  it('count once the scheduler hears of them', () => {
    const stage = new Stage().up('one').up('two').submit('a')
    stage.deliver('a', 3).take()
    expect(stage.down('one').take()).toEqual(['finish a: device-lost'])
  })

  it('keep a device from being called silent', () => {
    const stage = new Stage({ gapMs: 10_000 }).up('one').submit('a')
    for (const events of [1, 2, 3]) stage.deliver('a', events).pass(9_000)
    stage.take()
    expect(stage.pass(1_000).take()).toEqual(['cancel a on one: timed-out', 'finish a: timed-out gap'])
  })
})
