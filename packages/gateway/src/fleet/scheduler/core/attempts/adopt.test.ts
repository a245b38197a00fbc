import { describe, expect, it } from 'vitest'
import type { AdoptedAttempt, AdoptedJob } from './adopt.ts'
import { Stage, model } from '../stage.ts'

const FILE = { digest: 'f1', contextLength: 4096 }
const RESUMING = { models: [{ ...model('small', 1, ['resume']), digest: 'f1' }] }

function adopted(job: string, stage: Stage, more: Partial<AdoptedJob> = {}): AdoptedJob {
  const ticket = { job, organization: 'acme', key: 'key', model: 'small', features: [], rerunnable: false, cost: 100 }
  return {
    ticket: { ...ticket, promptSize: 1_000, prefixes: [] },
    requestBytes: 0,
    submittedAt: stage.now,
    startedAt: undefined,
    attempt: 0,
    losses: 0,
    begun: undefined,
    begunTokens: 0,
    hasShown: false,
    isRecordable: true,
    held: undefined,
    ...more,
  }
}

function running(stage: Stage, more: Partial<AdoptedAttempt> = {}): AdoptedAttempt {
  const run = { acceptedAt: stage.now, isLoading: false, nextSequence: 2, promptTokens: undefined, deliveredTokens: 2 }
  return { attempt: 1, device: 'one', epoch: 1, file: undefined, run, ...more }
}

function adopt(stage: Stage, ...jobs: AdoptedJob[]): Stage {
  for (const job of jobs) stage.core.adopt(job, stage.now)
  stage.core.settle(stage.now)
  return stage
}

const reporter = { device: 'one', epoch: 1, job: 'a', attempt: 1 }

describe('a waiting job that is adopted', () => {
  it('[S70] keeps its place: it goes before jobs submitted after it', () => {
    const stage = new Stage().pass(5_000).submit('b')
    adopt(stage, adopted('a', stage, { submittedAt: stage.now - 3_000 }))
    expect(stage.up('one').take()).toEqual(['offer a to one'])
  })

  it('[S70] keeps its deadline', () => {
    const stage = new Stage({ waitMs: 10_000 }).pass(20_000)
    adopt(stage, adopted('a', stage, { submittedAt: stage.now - 9_000 }))
    expect(stage.pass(999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['finish a: no-device'])
  })

  it('[S70a] is offered under a number that was not used before', () => {
    const stage = new Stage().up('one')
    adopt(stage, adopted('a', stage, { attempt: 4 }))
    expect(stage.reporter('a').attempt).toBe(5)
  })

  it('[S70b] has lost its reply if nobody can continue what its client has', () => {
    const stage = new Stage().up('one')
    adopt(stage, adopted('a', stage, { attempt: 1, hasShown: true }))
    expect(stage.take()).toEqual(['finish a: device-lost'])
  })

  it('[S70b] waits for a device that can continue what its client has', () => {
    const stage = new Stage().up('one')
    adopt(stage, adopted('a', stage, { attempt: 1, hasShown: true, begun: FILE, begunTokens: 2 }))
    expect(stage.pass(14_999).take()).toEqual([])
    expect(stage.up('two', RESUMING).take()).toEqual(['offer a to two'])
    expect(stage.core.outlook('a', 2)).toEqual({ file: FILE, isBegun: true, isSecond: false })
  })
})

describe('a running job that is adopted', () => {
  it('[S71] holds its slot and goes on where it was', () => {
    const stage = new Stage().up('one')
    adopt(stage, adopted('a', stage, { attempt: 1, hasShown: true, held: running(stage) })).submit('b')
    expect(stage.take()).toEqual([])
    expect(stage.core.receive(reporter, 1, 1, stage.now)).toBe('drop')
    expect(stage.core.receive(reporter, 2, 1, stage.now)).toBe('deliver')
    expect(stage.core.ended(reporter, 3, undefined, stage.now)).toBe('deliver')
    expect(stage.take()).toEqual(['finish a: ended', 'offer b to one'])
  })

  it('[S71] may still be accepted if it was only offered', () => {
    const stage = new Stage().up('one')
    adopt(stage, adopted('a', stage, { attempt: 1, held: running(stage, { run: undefined }) }))
    stage.core.accepted(reporter, stage.now)
    expect(stage.core.runner('a')).toEqual(reporter)
  })

  it('[S71b] keeps the number of its attempt, also if a later one was offered elsewhere', () => {
    const stage = new Stage().up('one')
    adopt(stage, adopted('a', stage, { attempt: 2, hasShown: true, held: running(stage) }))
    expect(stage.core.runner('a')).toEqual(reporter)
  })

  it('[S71a] has lost its attempt if its device is gone', () => {
    const stage = new Stage()
    adopt(
      stage,
      adopted('a', stage, { attempt: 1, hasShown: true, held: running(stage) }),
      adopted('b', stage, { attempt: 1, held: running(stage, { run: undefined }) }),
    )
    expect(stage.take()).toEqual(['finish a: device-lost'])
    expect(stage.up('two').take()).toEqual(['offer b to two'])
  })

  it('[S71a] is continued elsewhere if its device is gone and reported its tokens', () => {
    const stage = new Stage().up('two', RESUMING)
    adopt(stage, adopted('a', stage, { attempt: 1, hasShown: true, held: running(stage, { file: FILE }) }))
    expect(stage.take()).toEqual(['offer a to two'])
    expect(stage.core.outlook('a', 2).isBegun).toBe(true)
  })

  it('[S71] keeps its time limit', () => {
    const stage = new Stage({ totalMs: 10_000 }).pass(20_000).up('one')
    adopt(stage, adopted('a', stage, { attempt: 1, startedAt: stage.now - 9_000, held: running(stage) }))
    expect(stage.pass(1_000).take()).toEqual(['cancel a on one: timed-out', 'finish a: timed-out total'])
  })
})

describe('a job that is forgotten', () => {
  it.each(['waiting', 'offered', 'running', 'stopping'])(
    '[S72] frees its slot while it is %s, without an end',
    (state) => {
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
    },
  )

  it('[S72] is adopted as it is now if it was known before', () => {
    const stage = new Stage().up('one').up('two').submit('a').accept('a')
    stage.take()
    adopt(stage, adopted('a', stage, { attempt: 1, held: running(stage) }))
    expect(stage.core.stats(stage.now)).toMatchObject({ jobs: 1, leases: 1 })
    expect(stage.take()).toEqual([])
  })
})

describe('an attempt that no job counts on', () => {
  const occupant = { ...reporter, model: 'small' }

  it('[S74] keeps its slot until it is over', () => {
    const stage = new Stage().up('one')
    expect(stage.core.occupy(occupant, stage.now)).toBe(true)
    expect(stage.submit('b').pass(60_000).take()).toEqual([])
    stage.core.vacate(reporter, stage.now)
    expect(stage.take()).toEqual(['offer b to one'])
  })

  it('[S74] takes no second slot, and none on a device that is gone', () => {
    const stage = new Stage().up('one').submit('a').accept('a')
    expect(stage.core.occupy({ ...occupant, ...stage.reporter('a') }, stage.now)).toBe(false)
    expect(stage.core.occupy({ ...occupant, device: 'two' }, stage.now)).toBe(false)
  })

  it('[S74] is gone with the link of its device', () => {
    const stage = new Stage().up('one')
    stage.core.occupy(occupant, stage.now)
    stage.core.deviceDown('one', 1, stage.now)
    expect(stage.core.stats(stage.now)).toMatchObject({ jobs: 0, leases: 0, suspect: 0 })
    expect(stage.up('one').submit('b').take()).toEqual(['offer b to one'])
    expect(() => stage.core.vacate(reporter, stage.now)).not.toThrow()
  })

  it('[S74a] that is over changes nothing for a job that counts on it', () => {
    const stage = new Stage().up('one').submit('a').accept('a')
    stage.take()
    stage.core.vacate(stage.reporter('a'), stage.now)
    expect(stage.take()).toEqual([])
    expect(stage.core.runner('a')).toBeDefined()
  })
})

describe('events that were judged elsewhere', () => {
  it('[S73] count once the scheduler hears of them', () => {
    const stage = new Stage().up('one').submit('a')
    const from = stage.reporter('a')
    stage.core.caughtUp(from, { nextSequence: 3, tokens: 4, isShown: true }, stage.now)
    expect(stage.core.ended(from, 3, undefined, stage.now)).toBe('deliver')
    expect(stage.core.effects.at(-1)).toMatchObject({ type: 'finish', tokens: { completion: 4 } })
  })

  it('[S73] keep a device from being called silent', () => {
    const stage = new Stage({ gapMs: 10_000 }).up('one').submit('a')
    const from = stage.reporter('a')
    for (const nextSequence of [1, 2, 3]) {
      stage.core.caughtUp(from, { nextSequence, tokens: nextSequence, isShown: true }, stage.now)
      stage.pass(9_000)
    }
    stage.take()
    expect(stage.pass(1_000).take()).toEqual(['cancel a on one: timed-out', 'finish a: timed-out gap'])
  })
})
