import { describe, expect, it } from 'vitest'
import { Stage, model } from './stage.ts'

describe('admission', () => {
  it('[F55] refuses at once what no serving device can do, and names what the closest one lacks', () => {
    const stage = new Stage().up('old', { features: ['n'] }).up('newer', { features: ['n', 'tools'] })
    stage.submit('a', { features: ['tools', 'logprobs', 'n'] })
    expect(stage.take()).toEqual(['finish a: unsupported logprobs'])
  })

  it('[F55] needs one device with all features: two with half each are not enough', () => {
    const stage = new Stage().up('one', { features: ['n'] }).up('two', { features: ['tools'] })
    expect(stage.submit('a', { features: ['n', 'tools'] }).take()).toEqual(['finish a: unsupported tools'])
  })

  it('[F55] lets a job wait for a busy device that can do it', () => {
    const stage = new Stage()
      .up('able', { features: ['n'] })
      .up('unable')
      .submit('a', { features: ['n'] })
    expect(stage.take()).toEqual(['offer a to able'])
    expect(stage.submit('b', { features: ['n'] }).take()).toEqual([])
  })

  it('[H81] waits when no device serves the model, and starts on the first that does', () => {
    const stage = new Stage().up('other', { models: [model('large')] }).submit('a', { features: ['tools'] })
    expect(stage.take()).toEqual([])
    expect(
      stage
        .pass(50_000)
        .up('late', { features: ['tools'] })
        .take(),
    ).toEqual(['offer a to late'])
  })

  it('[F58] refuses a waiting job when the devices that appear cannot do it', () => {
    const stage = new Stage().submit('a', { features: ['n'] }).submit('b')
    expect(stage.up('plain').take()).toEqual(['finish a: unsupported n', 'offer b to plain'])
  })

  it('[F58] refuses a waiting job when the only device that can do it loses the feature', () => {
    const stage = new Stage().up('able', { features: ['n'] }).submit('running', { features: ['n'] })
    stage.submit('a', { features: ['n'] }).take()
    stage.core.deviceModels('able', 1, [model('small')], stage.now)
    expect(stage.take()).toEqual(['finish a: unsupported n'])
  })

  it('keeps waiting when a device that can do it leaves, drains or withdraws the model', () => {
    const stage = new Stage()
      .up('plain')
      .up('able', { features: ['n'] })
      .up('able too', { features: ['n'] })
    stage.up('able still', { features: ['n'] })
    for (const job of ['a', 'b', 'c', 'd']) stage.submit(job, { features: ['n'] })
    stage.take()
    stage.core.deviceDraining('able', 1, stage.now)
    stage.core.deviceModels('able too', 1, [], stage.now)
    expect(stage.down('able still').take()).toEqual([])
  })

  it('keeps waiting when a device announces the same models again', () => {
    const stage = new Stage()
      .up('plain')
      .up('able', { features: ['n'] })
      .submit('a', { features: ['n'] })
    stage
      .submit('b', { features: ['n'] })
      .down('able')
      .take()
    stage.core.deviceModels('plain', 1, [model('small')], stage.now)
    expect(stage.take()).toEqual([])
  })

  it('waits when the only device that serves the model drains', () => {
    const stage = new Stage().up('plain')
    stage.core.deviceDraining('plain', 1, stage.now)
    expect(stage.submit('a', { features: ['n'] }).take()).toEqual([])
  })
})

describe('limits of the queue', () => {
  it('[H82a] refuses the job beyond the limit of its key, and takes those of other keys', () => {
    const stage = new Stage({ queuePerKey: 2 })
    for (const job of ['a', 'b', 'c']) stage.submit(job)
    expect(stage.take()).toEqual(['finish c: queue-full key'])
    expect(stage.submit('d', { key: 'other' }).take()).toEqual([])
  })

  it('[H82a] counts a key over all models, and an organization over all keys', () => {
    const stage = new Stage({ queuePerKey: 2, queuePerOrganization: 3 })
    stage.submit('a', { model: 'small' }).submit('b', { model: 'large' }).submit('c', { model: 'coder' })
    expect(stage.take()).toEqual(['finish c: queue-full key'])
    stage.submit('d', { key: 'second' }).submit('e', { key: 'third' })
    expect(stage.take()).toEqual(['finish e: queue-full organization'])
    expect(stage.submit('f', { organization: 'other' }).take()).toEqual([])
  })

  it('takes jobs that can start at once, whatever the limit', () => {
    const stage = new Stage({ queuePerKey: 1 }).up('big', { slots: 3 })
    for (const job of ['a', 'b', 'c', 'd']) stage.submit(job)
    expect(stage.take()).toEqual(['offer a to big', 'offer b to big', 'offer c to big'])
    expect(stage.submit('e').take()).toEqual(['finish e: queue-full key'])
  })

  it('makes room when jobs start, end or leave, and never refuses one that comes back', () => {
    const stage = new Stage({ queuePerKey: 1 }).submit('a').cancel('a').submit('b').up('laptop').submit('c').take()
    expect(stage).toEqual(['finish a: cancelled', 'offer b to laptop'])
    const full = new Stage({ queuePerKey: 1 }).up('laptop').submit('a').submit('b').refuse('a')
    expect(full.take()).toEqual(['offer a to laptop'])
    expect(full.pass(250).take()).toEqual(['offer a to laptop'])
  })

  it('throws when the same job is submitted twice', () => {
    const stage = new Stage().submit('a')
    expect(() => stage.submit('a')).toThrow('Cannot submit job a: it is already there')
  })
})

describe('waiting', () => {
  it('[H81a] ends a job that no device has accepted in time', () => {
    const stage = new Stage().submit('a')
    expect(stage.pass(119_999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['finish a: no-device'])
  })

  it('does not restart the waiting time after refusals and losses', () => {
    const stage = new Stage().submit('a').pass(100_000).up('laptop').accept('a').down('laptop').pass(10_000)
    stage.up('laptop', { epoch: 2 }).refuse('a', 'unsupported').take()
    expect(stage.pass(9_999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['finish a: no-device'])
  })

  it('[H81a] ends a job whose offer is not answered before the waiting time is over', () => {
    const stage = new Stage().submit('a').pass(115_000).up('laptop')
    expect(stage.pass(5_000).take()).toEqual([
      'offer a to laptop',
      'cancel a on laptop: timed-out',
      'finish a: no-device',
    ])
  })

  it('[H82b] lets an accepted job run beyond the waiting time', () => {
    const stage = new Stage().submit('a').pass(119_000).up('laptop').accept('a')
    expect(stage.pass(30_000).take()).toEqual(['offer a to laptop'])
    expect(stage.holds('a')).toBe(true)
  })

  it('offers a job that is lost after the waiting time to a device that is free', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a').up('desktop')
    stage.pass(100_000).progress('a')
    expect(stage.pass(50_000).down('laptop').take()).toEqual(['offer a to laptop', 'offer a to desktop'])
    expect(stage.accept('a').pass(100_000).take()).toEqual([])
  })
})

describe('turns', () => {
  it('[S12] gives a freed slot to the key that was served least', () => {
    const stage = new Stage()
      .up('laptop')
      .submit('a1', { key: 'a' })
      .submit('a2', { key: 'a' })
      .submit('b1', { key: 'b' })
    stage.take()
    stage.end('a1')
    expect(stage.take()).toEqual(['finish a1: ended', 'offer b1 to laptop'])
  })

  it('goes by the tokens that jobs used', () => {
    const stage = new Stage().up('laptop', { slots: 2 })
    for (const job of ['a1', 'a2', 'a3']) stage.submit(job, { key: 'a' })
    for (const job of ['b1', 'b2', 'b3']) stage.submit(job, { key: 'b' })
    expect(stage.take()).toEqual(['offer a1 to laptop', 'offer a2 to laptop'])
    stage.end('a1', 10)
    stage.end('a2', 10)
    stage.end('b1', 10_000)
    expect(stage.take().filter((effect) => effect.startsWith('offer'))).toEqual([
      'offer b1 to laptop',
      'offer a3 to laptop',
      'offer b2 to laptop',
    ])
  })

  it('goes by the tokens that were delivered if the device counted none', () => {
    const stage = new Stage().up('laptop')
    for (const [job, key] of Object.entries({ a1: 'a', b1: 'b', a2: 'a', b2: 'b' }))
      stage.submit(job, { key, promptSize: 4 })
    for (const [job, tokens] of [
      ['a1', 50],
      ['b1', 40],
    ] as const) {
      stage.accept(job).deliver(job, 1, tokens)
      stage.confirm(stage.cancel(job).reporter(job))
    }
    expect(stage.take().at(-1)).toBe('offer b2 to laptop')
  })

  it.each([
    ['nothing for a job that no device accepted', false, 'offer a2 to laptop'],
    ['the prompt for a job that broke off before its first event', true, 'offer b1 to laptop'],
  ])('charges %s', (_, isAccepted, next) => {
    const stage = new Stage()
      .up('laptop')
      .submit('a1', { key: 'a' })
      .submit('a2', { key: 'a' })
      .submit('b1', { key: 'b' })
    if (isAccepted) stage.accept('a1')
    stage.cancel('a1').take()
    expect(stage.confirm(stage.reporter('a1')).take()).toEqual([next])
  })

  it('[S9] puts jobs that lost their device back in their old order', () => {
    const stage = new Stage().up('laptop', { slots: 3 })
    for (const job of ['a', 'b', 'c', 'd']) stage.submit(job)
    stage.take()
    stage.down('laptop').up('desktop', { slots: 4 })
    expect(stage.take()).toEqual(['offer a', 'offer b', 'offer c', 'offer d'].map((offer) => `${offer} to desktop`))
  })

  it('[S9] does not let a job that needs more hold up the jobs behind it', () => {
    const stage = new Stage().up('able', { features: ['n'] }).submit('a', { features: ['n'] })
    stage
      .submit('b', { features: ['n'] })
      .submit('c')
      .take()
    expect(stage.up('plain').take()).toEqual(['offer c to plain'])
  })

  it('[S9] serves one model while jobs for another wait', () => {
    const stage = new Stage().up('laptop', { models: [model('small'), model('large')] })
    for (const job of ['a', 'b', 'c']) stage.submit(job)
    expect(stage.submit('d', { model: 'large' }).take()).toEqual(['offer a to laptop', 'offer d to laptop'])
  })
})
