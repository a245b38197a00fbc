import { beforeEach, describe, expect, it } from 'vitest'
import type { Budget } from '../../../store/revisions/access-rows.ts'
import { SchedulerStage, model } from '../../testing/scheduler-stage.ts'

const OWN: Budget = { holder: 'key', organization: 'o', id: 'key', tokensPerMonth: 500 }
const TEAM: Budget = { holder: 'organization', organization: 'o', id: 'o', tokensPerMonth: 1_000 }
const FILE = { digest: 'f', contextLength: 4_096 }
const RESUMING = { ...model('small', 4, ['resume']), digest: 'f' }

describe('the budgets of jobs that wait', () => {
  let used: Record<string, number>
  let budgets: Record<string, Budget[]>
  let stage: SchedulerStage
  beforeEach(() => {
    used = { key: 0, o: 0 }
    budgets = { key: [OWN] }
    const known = { of: (key: string) => budgets[key], used: ({ id }: Budget) => used[id]!, renewsAt: () => 1 }
    stage = new SchedulerStage({}, known)
  })

  const reserved = () => stage.scheduler.stats(stage.now).reserved

  /** The gateway counts what a job used before the scheduler hears that it is over. */
  function end(job: string, tokens: number): SchedulerStage {
    used['key']! += tokens
    return stage.settle(job, { tokens })
  }

  it('[M30a] are looked at when the turn of each comes: once one is used up, all end that count for it, and no others', () => {
    stage.up('d')
    for (const job of ['a', 'b', 'c', 'd']) stage.request(job)
    stage.request('other', { key: 'other' })
    expect(stage.take()).toEqual(['d for a'])
    expect(end('a', 499).take()).toEqual(['d for other'])
    expect(stage.settle('other').take()).toEqual(['d for b'])
    expect(end('b', 1).take()).toEqual(['decline c: budget-used', 'decline d: budget-used'])
  })

  it('[M30a] let no more jobs start than what is left is expected to be enough for; the others wait until it is known', () => {
    stage.up('d', 10)
    for (const job of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) stage.request(job, { cost: 200 })
    expect(stage.take()).toEqual(['d for a', 'd for b', 'd for c'])
    expect(end('a', 10).take()).toEqual(['d for d'])
    expect(end('b', 400).take()).toEqual([])
    expect(end('c', 10).take()).toEqual([])
    expect(end('d', 10).take()).toEqual(['d for e'])
    expect(end('e', 69).take()).toEqual(['d for f'])
    expect(end('f', 1).take()).toEqual(['decline g: budget-used'])
  })

  it('[M30a] wait for what a job used, not only for its slot', () => {
    stage.up('d').request('a', { cost: 20 }).request('b', { cost: 20 })
    stage.take()
    expect(stage.free('a').take()).toEqual([])
    expect(end('a', 40).take()).toEqual(['d for b'])
  })

  it('count for all models together, and wake a job that waits for another model', () => {
    stage.announce('d', model('small'), model('large')).request('a', { cost: 600 }).request('b', { model: 'large' })
    expect(stage.take()).toEqual(['d for a'])
    expect(end('a', 20).take()).toEqual(['d for b'])
  })

  it('are those of the key, its member and the organization', () => {
    budgets = { key: [OWN, TEAM], other: [TEAM] }
    stage.up('d', 2).request('a', { key: 'other', cost: 999 }).request('b', { cost: 1 }).request('c')
    expect(stage.take()).toEqual(['d for a', 'd for b'])
    used['o'] = 1_000
    expect(stage.settle('a').take()).toEqual(['decline c: budget-used'])
  })

  it('expect the prompt, and the answer that the key usually gets, or the limit of the request', () => {
    stage.up('d', 4).request('a', { cost: 400 })
    expect(reserved()).toBe(400)
    stage.settle('a', { measured: { readMs: 1, answerMs: 1, tokens: 10 } }).request('b', { cost: 400, promptSize: 40 })
    // Ten of the prompt, and the usual answer, which is a mean.
    expect(reserved()).toBe(21)
    stage.settle('b').request('c', { cost: 400, promptSize: 40, answerLimit: 3 })
    expect(reserved()).toBe(13)
  })

  it('[M30a] let a reply continue that its client has a part of, which counts while it waits for the next device', () => {
    stage.announce('d', RESUMING).request('a', { cost: 400 })
    stage.take()
    stage.down('d')
    expect(reserved()).toBeGreaterThanOrEqual(400)
    used['key'] = 100
    stage.settle('a', { kind: 'lost' }).request('b', { ageMs: 60_000 })
    stage.request('a', { cost: 400, begun: FILE, mustContinue: true })
    expect(reserved()).toBe(400)
    expect(stage.announce('e', RESUMING).take()).toEqual(['e for a, continued'])
    used['key'] = 500
    expect(stage.settle('a').take()).toEqual(['decline b: budget-used'])
    expect(reserved()).toBe(0)
  })

  it.each<[string, (stage: SchedulerStage) => unknown]>([
    ['its slot is free first', () => stage.free('a').settle('a')],
    ['its front says so first', () => stage.settle('a', { kind: 'stopping' }).free('a').settle('a')],
    ['its device is gone, and its front says so', () => stage.down('d').settle('a', { kind: 'lost' })],
    ['its device is gone, and its front says nothing', () => stage.down('d').pass(1_000)],
    ['its hub does not know it', () => stage.report('d', { edition: 2 }).settle('a').pass(1_000)],
    ['its front is gone', () => stage.scheduler.forgetFront('front', stage.now)],
    [
      'a second device answers',
      () =>
        stage
          .late('a')
          .up('e')
          .request('a', { want: 'second', avoided: ['d'] })
          .settle('a'),
    ],
  ])('take back what was reserved for a job once: %s', (_, finish) => {
    stage.up('d', 2).request('a', { cost: 300 }).request('b', { cost: 7 })
    expect(reserved()).toBe(307)
    finish(stage)
    stage.down('d').settle('b', { kind: 'lost' }).pass(1_000)
    expect(reserved()).toBe(0)
  })

  it('that change while a job runs leave nothing behind', () => {
    stage.up('d').request('a', { cost: 300 })
    budgets = {}
    stage.settle('a').request('b')
    budgets = { key: [OWN] }
    stage.settle('b')
    expect(reserved()).toBe(0)
  })
})
