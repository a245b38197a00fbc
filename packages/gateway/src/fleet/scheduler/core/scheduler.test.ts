import { describe, expect, it } from 'vitest'
import { SchedulerStage, model } from '../../testing/scheduler-stage.ts'

const FILE = { digest: 'f', contextLength: 4_096 }
const RESUMING = { ...model('small', 1, ['resume']), digest: 'f' }
const MEASURED = { readMs: 5_000, answerMs: 1_000, tokens: 10 }

describe('a job that asks for a slot', () => {
  it('gets a free one, and otherwise the next that is free, in the order of age', () => {
    const stage = new SchedulerStage().up('d').request('a').request('b').request('c')
    expect(stage.take()).toEqual(['d for a'])
    expect(stage.settle('a').take()).toEqual(['d for b'])
    stage.request('old', { ageMs: 60_000, isFirst: false })
    expect(stage.settle('b').take()).toEqual(['d for old'])
  })

  it('[F55] [F58] is declined if devices serve its model, and none has its features', () => {
    const stage = new SchedulerStage().request('before', { features: ['tools'] }).up('d')
    expect(stage.request('after', { features: ['tools'] }).take()).toEqual([
      'decline before: unsupported',
      'decline after: unsupported',
    ])
    expect(new SchedulerStage().request('a', { features: ['tools'] }).take()).toEqual([])
  })

  it('[H81] is declined if too many of its key wait, or of all keys', () => {
    const stage = new SchedulerStage({ queuePerKey: 2, queuePerOrganization: 3 })
    for (const job of ['a', 'b', 'c']) stage.request(job)
    for (const job of ['d', 'e']) stage.request(job, { key: 'other' })
    expect(stage.take()).toEqual(['decline c: queue-full', 'decline e: queue-full'])
  })

  it('[H82a] is declined when its time is over, at once if it is over already', () => {
    const stage = new SchedulerStage().request('a', { waitMs: 500 }).request('b', { waitMs: 0 })
    expect(stage.take()).toEqual(['decline b: no-device'])
    expect(stage.pass(499).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['decline a: no-device'])
  })

  it('is leased a slot of a device that it was sealed for, and of no other', () => {
    const stage = new SchedulerStage().up('other').request('a', { sealedFor: ['own'] })
    expect(stage.take()).toEqual([])
    expect(stage.up('own').take()).toEqual(['own for a'])
  })

  it('avoids devices that failed it while others could take it, and never gets one that it excludes', () => {
    const stage = new SchedulerStage()
      .up('bad')
      .up('good')
      .request('a', { avoided: ['bad'] })
    expect(stage.take()).toEqual(['good for a'])
    expect(stage.request('b', { avoided: ['bad'] }).take()).toEqual([])
    expect(stage.down('good').settle('a', { kind: 'lost' }).take()).toEqual(['bad for b'])
    expect(
      new SchedulerStage()
        .up('d')
        .request('a', { excluded: ['d'] })
        .take(),
    ).toEqual([])
  })

  it('[H82] waits a moment for a device that has the model before another one loads it', () => {
    const loadable = { ...model('small'), state: 'loadable' as const }
    const stage = new SchedulerStage().up('busy').request('a').announce('cold', loadable).request('b')
    expect(stage.take()).toEqual(['busy for a'])
    expect(stage.pass(5_000).take()).toEqual(['cold for b'])
  })
})

/** Two devices that have written an answer: `fast` takes 10 ms per token, `slow` a second. */
function uneven(): SchedulerStage {
  const stage = new SchedulerStage()
  for (const [device, msPerToken] of [
    ['fast', 10],
    ['slow', 1_000],
  ] as const) {
    stage.up(device).request(device).take()
    stage.settle(device, { measured: { readMs: 0, answerMs: 100 * msPerToken, tokens: 100 } }).down(device)
  }
  return stage.up('slow').up('fast')
}

describe('devices of different speed', () => {
  it('get a job where it ends first', () => {
    expect(uneven().request('a').take()).toEqual(['fast for a'])
  })

  it('leave a job waiting for a fast one that is free soon, and jobs behind it get what ends them first', () => {
    const stage = uneven().request('a').request('b')
    expect(stage.take()).toEqual(['fast for a'])
    expect(stage.pass(1_000).settle('a').take()).toEqual(['fast for b'])
  })

  it('give a job to any at once when the one that it waits for is gone, late or refuses', () => {
    const waiting = () => uneven().request('a').request('b')
    for (const stage of [
      waiting().down('fast').settle('a', { kind: 'lost' }),
      waiting().late('a'),
      waiting().settle('a', { kind: 'refused' }),
      waiting().report('fast', { isDraining: true }),
    ])
      expect(stage.take()).toContain('slow for b')
  })

  it('give it to a slow one after all if a reply takes much longer than expected, without any other event', () => {
    const stage = uneven().request('a').request('b')
    expect(stage.pass(50_000).take()).toEqual(['fast for a'])
    expect(stage.pass(60_000).take()).toEqual(['slow for b'])
  })

  it('let a reply continue at once that was begun', () => {
    const stage = uneven().down('slow').announce('slow', RESUMING).request('a')
    expect(stage.request('b', { begun: FILE, mustContinue: true }).take()).toEqual([
      'fast for a',
      'slow for b, continued',
    ])
  })
})

describe('a job whose device is gone', () => {
  it('keeps its place before jobs that came later, while its front hears of it', () => {
    const stage = new SchedulerStage().up('d').request('first').request('second')
    stage.take()
    expect(stage.down('d').up('other').take()).toEqual([])
    expect(stage.settleAndRequest('first', { kind: 'lost' }).take()).toEqual(['other for first'])
    expect(stage.settle('first').take()).toEqual(['other for second'])
  })

  it('holds others up no longer than a second', () => {
    const stage = new SchedulerStage().up('d').request('first').request('second').down('d').up('other')
    stage.take()
    expect(stage.pass(1_000).take()).toEqual(['other for second'])
  })

  it('holds nobody up if its gateway is gone too', () => {
    const stage = new SchedulerStage().up('d').request('first').down('d').up('other')
    stage.take()
    stage.scheduler.forgetFront('front', stage.now)
    expect(stage.request('second').take()).toEqual(['other for second'])
  })

  it('[H82i] gets no slot of the same link again, if its front hears first that the link is gone', () => {
    const stage = new SchedulerStage().up('d').request('a')
    stage.take()
    expect(stage.settleAndRequest('a', { kind: 'lost' }).take()).toEqual([])
    expect(stage.down('d').up('other').take()).toEqual(['other for a'])
  })
})

describe('a slot', () => {
  it('is free when the hub says so, and is paid for when the front does', () => {
    const stage = new SchedulerStage().up('d').request('a').request('b')
    stage.take()
    expect(stage.free('a').take()).toEqual(['d for b'])
    expect(stage.scheduler.stats(stage.now)).toMatchObject({ leases: 1, unsettled: 1 })
    expect(stage.settle('a').scheduler.stats(stage.now)).toMatchObject({ leases: 1, unsettled: 0 })
  })

  it('is uncertain if its device does not stop in time: its hub says whether it is taken', () => {
    const stage = new SchedulerStage().up('d').request('a').request('b')
    expect(stage.settle('a', { kind: 'stopping' }).pass(5_000).take()).toEqual(['d for a', 'report of d wanted'])
    expect(stage.report('d', { edition: 2 }).take()).toEqual(['d for b'])
  })

  it('is taken by a lease of another scheduler, until its hub says that it is free', () => {
    const stage = new SchedulerStage()
    const taken = [{ lease: 77, model: 'small' }]
    expect(stage.report('d', { edition: 3, taken }).request('a').take()).toEqual([])
    stage.scheduler.freed({ device: 'd', lease: 77 }, stage.now)
    expect(stage.take()).toEqual(['d for a'])
  })

  it('is not leased before all gateways have said what they know', () => {
    const stage = new SchedulerStage()
    stage.scheduler.gather()
    stage
      .up('d')
      .request('young')
      .request('old', { ageMs: 60_000 })
      .request('odd', { features: ['tools'] })
    expect(stage.take()).toEqual([])
    stage.scheduler.open(stage.now)
    expect(stage.take()).toEqual(['decline odd: unsupported', 'd for old'])
  })

  it('is free once its device has stopped, if the gateway of its job is gone', () => {
    const stage = new SchedulerStage().up('d').request('a').request('b').accept('a')
    stage.take()
    stage.scheduler.forgetFront('front', stage.now)
    expect(stage.request('c').take()).toEqual([])
    expect(stage.free('a').take()).toEqual(['d for c'])
  })
})

describe('a device', () => {
  it('that has the model and is not late is the second of a job, before all that wait', () => {
    const stage = new SchedulerStage()
      .up('late')
      .request('a')
      .late('a')
      .request('b')
      .request('a', { want: 'second', avoided: ['late'] })
    expect(stage.take()).toEqual(['late for a'])
    expect(stage.up('other').take()).toEqual(['other for a'])
  })

  it('takes a job over only at once', () => {
    const stage = new SchedulerStage()
      .up('d')
      .request('a')
      .request('a', { want: 'move', avoided: ['d'] })
    expect(stage.up('other').take()).toEqual(['d for a'])
    expect(stage.request('a', { want: 'move', avoided: ['d'] }).take()).toEqual(['other for a'])
  })

  it('continues a reply if it has the same file; a whole reply starts over without one', () => {
    const stage = new SchedulerStage().up('plain').announce('same', RESUMING)
    expect(stage.request('a', { begun: FILE, mustContinue: true }).take()).toEqual(['same for a, continued'])
    const alone = new SchedulerStage().up('plain')
    expect(alone.request('a', { begun: FILE }).take()).toEqual(['plain for a'])
    expect(alone.request('b', { begun: FILE, mustContinue: true }).pass(15_000).take()).toEqual([
      'decline b: no-device',
    ])
  })

  it('is not used while its hub can not be reached, and keeps its features', () => {
    const stage = new SchedulerStage().up('d', 2, ['tools']).up('plain')
    stage.scheduler.hubAway('')
    expect(stage.request('a', { features: ['tools'] }).take()).toEqual([])
    const models = [model('small', 2, ['tools'])]
    expect(stage.report('d', { edition: 2, models }).take()).toEqual(['d for a'])
  })
})

describe('a forecast', () => {
  it('[H82k] says the place in line, and the time once the model has answered something', () => {
    const stage = new SchedulerStage().up('d').request('a').request('b')
    expect(stage.forecast('b')).toEqual({ place: 1, firstEventMs: undefined })
    stage.pass(6_000).settle('a', { measured: MEASURED }).request('c')
    expect(stage.forecast('c')).toMatchObject({ place: 1, firstEventMs: expect.any(Number) })
    expect(stage.forecast('b')).toMatchObject({ place: undefined, firstEventMs: 5_000 })
  })
})
