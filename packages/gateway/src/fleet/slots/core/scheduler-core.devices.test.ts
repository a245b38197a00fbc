import { describe, expect, it } from 'vitest'
import type { Prefix } from '@hearth/chat'
import { Stage, model, type StageDevice } from './stage.ts'

/** Runs a job whose first event comes after `ms`. */
function serve(stage: Stage, job: string, ms: number, prefixes: Prefix[] = []): string[] {
  stage.submit(job, { prefixes }).accept(job).pass(ms).deliver(job)
  return stage.end(job).take()
}

describe('choice of device', () => {
  it('[S13] never crosses organizations', () => {
    const stage = new Stage().up('stranger', { organization: 'other' }).submit('a')
    expect(stage.take()).toEqual([])
    expect(stage.up('own').take()).toEqual(['offer a to own'])
  })

  it('[S13] never gives out more slots than a device has', () => {
    const stage = new Stage().up('laptop', { slots: 2 })
    for (const job of ['a', 'b', 'c']) stage.submit(job)
    expect(stage.take()).toEqual(['offer a to laptop', 'offer b to laptop'])
    stage.end('a')
    expect(stage.take()).toEqual(['finish a: ended', 'offer c to laptop'])
  })

  it('prefers the device that was faster before', () => {
    const stage = new Stage().up('slow')
    serve(stage, 'a', 5_000)
    stage.down('slow').up('fast')
    serve(stage, 'b', 20)
    stage.up('slow', { epoch: 2 })
    expect(stage.submit('c').take()).toEqual(['offer c to fast'])
  })

  it('prefers the device that still holds the conversation', () => {
    const first = [{ hash: 1, size: 4_000 }]
    const stage = new Stage().up('laptop')
    serve(stage, 'a', 120, first)
    stage.up('desktop', { slots: 4 })
    const next = { promptSize: 5_000, prefixes: [...first, { hash: 2, size: 5_000 }] }
    expect(stage.submit('b', next).take()).toEqual(['offer b to laptop'])
    expect(stage.submit('c', next).take()).toEqual(['offer c to desktop'])
  })

  it('spreads jobs over devices that are equally fast', () => {
    const stage = new Stage().up('one', { slots: 4 }).up('two', { slots: 4 })
    for (const job of ['a', 'b', 'c', 'd']) stage.submit(job)
    const used = ['a', 'b', 'c', 'd'].map((job) => stage.reporter(job).device)
    expect(used).toEqual(['one', 'two', 'one', 'two'])
  })

  it.each<[string, StageDevice, StageDevice]>([
    ['fewer features', { features: ['n', 'tools'], slots: 4 }, { features: ['n'], slots: 1 }],
    ['more free slots', { slots: 1 }, { slots: 2 }],
  ])('prefers %s between equals', (_, worse, better) => {
    const worseFirst = new Stage().up('worse', worse).up('better', better).submit('a')
    const betterFirst = new Stage().up('better', better).up('worse', worse).submit('a')
    expect(worseFirst.take()).toEqual(['offer a to better'])
    expect(betterFirst.take()).toEqual(['offer a to better'])
  })

  it('prefers the device used longest ago when all else is equal', () => {
    const stage = new Stage().up('one').up('two').up('three')
    const used: string[] = []
    for (const job of ['a', 'b', 'c', 'd', 'e', 'f']) {
      stage.submit(job)
      used.push(stage.reporter(job).device)
      stage.end(job)
    }
    expect(new Set(used.slice(0, 3)).size).toBe(3)
    expect(used.slice(3)).toEqual(used.slice(0, 3))
  })

  it('uses every device of a large fleet', () => {
    const stage = new Stage()
    for (let index = 0; index < 200; index++) stage.up(`device-${index}`)
    for (let index = 0; index < 200; index++) stage.submit(`job-${index}`)
    expect(new Set(stage.take()).size).toBe(200)
    expect(stage.core.stats(stage.now)).toMatchObject({ queued: 0, leases: 200 })
  })

  it('uses the devices of a fleet evenly when its jobs come one after the other', () => {
    const stage = new Stage()
    for (let index = 0; index < 20; index++) stage.up(`device-${index}`)
    const jobs = new Map<string, number>()
    for (let index = 0; index < 200; index++) {
      const job = `job-${index}`
      const { device } = stage.submit(job).reporter(job)
      jobs.set(device, (jobs.get(device) ?? 0) + 1)
      stage.end(job)
    }
    expect(jobs.size).toBe(20)
    expect(Math.max(...jobs.values())).toBeLessThanOrEqual(12)
  })

  it('finds the one device of a large fleet that holds the conversation or has the feature', () => {
    const conversation = [{ hash: 1, size: 4_000 }]
    const stage = new Stage().up('holder')
    serve(stage, 'a', 120, conversation)
    for (let index = 0; index < 200; index++) stage.up(`device-${index}`)
    stage.up('able', { features: ['n'] })
    expect(stage.submit('b', { promptSize: 4_100, prefixes: conversation }).take()).toEqual(['offer b to holder'])
    expect(stage.submit('c', { features: ['n'] }).take()).toEqual(['offer c to able'])
  })

  it('still knows how slow a device was when it links again', () => {
    const stage = new Stage().up('slow')
    serve(stage, 'a', 5_000)
    stage.down('slow').up('slow', { epoch: 2, slots: 8 }).up('new')
    expect(stage.submit('b').take()).toEqual(['offer b to new'])
  })
})

describe('links', () => {
  it('[L14] replaces the link of a device that links again, and runs its jobs again', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a')
    stage.take()
    expect(stage.up('laptop', { epoch: 2 }).take()).toEqual(['offer a to laptop'])
    expect(stage.reporter('a')).toMatchObject({ epoch: 2, attempt: 2 })
    expect(stage.down('laptop', 1).take()).toEqual([])
    expect(stage.holds('a')).toBe(true)
  })

  it('[L14] ignores an older link that reports late', () => {
    const stage = new Stage().up('laptop', { epoch: 5 })
    stage.up('laptop', { epoch: 4, models: [model('large')] }).submit('a', { model: 'large' })
    stage.core.deviceModels('laptop', 4, [model('large')], stage.now)
    stage.core.deviceDraining('laptop', 4, stage.now)
    expect(stage.take()).toEqual([])
    expect(stage.submit('b').take()).toEqual(['offer b to laptop'])
  })

  it('gives a draining device nothing more, and lets it finish', () => {
    const stage = new Stage().up('laptop', { slots: 2 }).submit('a').accept('a')
    stage.take()
    stage.core.deviceDraining('laptop', 1, stage.now)
    expect(stage.submit('b').take()).toEqual([])
    expect(stage.deliver('a').end('a').take()).toEqual(['finish a: ended'])
  })

  it('lets jobs finish on a model that was withdrawn, and counts their slots when it comes back', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a').submit('b')
    stage.take()
    stage.core.deviceModels('laptop', 1, [], stage.now)
    stage.core.deviceModels('laptop', 1, [model('small', 1)], stage.now)
    expect(stage.take()).toEqual([])
    stage.end('a')
    expect(stage.take()).toEqual(['finish a: ended', 'offer b to laptop'])
  })

  it('gives out no slot while more are taken than a device still has', () => {
    const stage = new Stage().up('laptop', { slots: 3 })
    for (const job of ['a', 'b', 'c', 'd']) stage.submit(job)
    stage.take()
    stage.core.deviceModels('laptop', 1, [model('small', 1)], stage.now)
    stage.end('a')
    stage.end('b')
    expect(stage.take()).toEqual(['finish a: ended', 'finish b: ended'])
    stage.end('c')
    expect(stage.take()).toEqual(['finish c: ended', 'offer d to laptop'])
  })

  it('starts waiting jobs when a device adds a model or slots', () => {
    const stage = new Stage().up('laptop').submit('a').submit('b').submit('c', { model: 'large' })
    stage.take()
    stage.core.deviceModels('laptop', 1, [model('small', 2), model('large')], stage.now)
    expect(stage.take()).toEqual(['offer b to laptop', 'offer c to laptop'])
  })

  it('changes nothing when a device repeats its announcement', () => {
    const stage = new Stage()
      .up('laptop')
      .up('desktop', { features: ['tools'] })
      .submit('a', { features: ['tools'] })
    stage.submit('b', { features: ['tools'] }).down('desktop')
    stage.take()
    stage.core.deviceModels('laptop', 1, [model('small')], stage.now)
    expect(stage.take()).toEqual([])
  })

  it('looks again only at waiting jobs that need a feature that a device gained or lost', () => {
    const stage = new Stage()
      .up('laptop')
      .up('desktop', { features: ['tools', 'n'] })
      .submit('a')
    stage
      .submit('b', { features: ['tools'] })
      .submit('c', { features: ['tools'] })
      .submit('d', { features: ['n'] })
    stage.down('desktop')
    stage.take()
    stage.core.deviceModels('laptop', 1, [model('small', 1, ['logprobs'])], stage.now)
    expect(stage.take()).toEqual([])
    stage.core.deviceModels('laptop', 1, [model('small', 1, ['tools'])], stage.now)
    expect(stage.take()).toEqual([])
    stage.core.deviceModels('laptop', 1, [model('small')], stage.now)
    expect(stage.take()).toEqual(['finish b: unsupported tools', 'finish c: unsupported tools'])
  })

  it('gives a job back to the device that lost it when the other device withdraws the model', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a')
    stage.take()
    const lost = stage.reporter('a')
    stage.up('desktop').submit('b').fail('a')
    expect(stage.confirm(lost).take()).toEqual(['offer b to desktop'])
    stage.core.deviceModels('desktop', 1, [], stage.now)
    expect(stage.take()).toEqual(['offer a to laptop'])
  })

  it('treats a model with no slots as not served', () => {
    const stage = new Stage().up('laptop', { slots: 0 })
    expect(stage.submit('a', { features: ['n'] }).take()).toEqual([])
  })
})

describe('stats', () => {
  it('counts waiting jobs per model with their age, and leased and suspect slots', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a').pass(1_000).submit('b').pass(500)
    stage.submit('c', { key: 'other' }).submit('d', { model: 'large' }).cancel('a').pass(5_000)
    expect(stage.core.stats(stage.now)).toMatchObject({
      jobs: 4,
      queued: 3,
      running: 0,
      leases: 1,
      suspect: 1,
      queues: [
        { organization: 'acme', model: 'small', queued: 2, oldestMs: 5_500 },
        { organization: 'acme', model: 'large', queued: 1, oldestMs: 5_000 },
      ],
      served: [{ device: 'laptop', model: 'small', slots: 1, leases: 1, suspect: 1 }],
      waitingByOrganization: [
        {
          organization: 'acme',
          queued: 3,
          perKey: new Map([
            ['key', 2],
            ['other', 1],
          ]),
        },
      ],
    })
  })

  it('are empty when nothing is left', () => {
    const stage = new Stage().up('laptop', { slots: 2 }).submit('a').submit('b').cancel('b')
    stage.end('a')
    stage.down('laptop')
    const nothing = {
      jobs: 0,
      queued: 0,
      running: 0,
      leases: 0,
      suspect: 0,
      queues: [],
      served: [],
      hedges: { offered: 0, won: 0 },
      continued: 0,
      late: 0,
      waitingByOrganization: [],
    }
    expect(stage.core.stats(stage.now)).toEqual(nothing)
    expect(stage.core.nextDeadline()).toBeUndefined()
  })
})
