import { describe, expect, it } from 'vitest'
import type { Failure } from '@hearth/chat'
import { model, Stage } from './stage.ts'

const offersTo = (stage: Stage) => stage.take().filter((effect) => effect.startsWith('offer'))

describe('refusals', () => {
  it.each(['busy', 'not-loaded', 'draining'] as const)('offers a job refused as %s again after 250 ms', (reason) => {
    const stage = new Stage().up('laptop').submit('a').submit('b').refuse('a', reason)
    stage.take()
    expect(stage.pass(249).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['offer a to laptop'])
  })

  it('[S22] leaves a device alone twice as long each time, up to 8 s, and uses up no attempt', () => {
    const stage = new Stage().up('laptop').submit('a')
    const waits = [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]
    for (const wait of waits) {
      stage.refuse('a').take()
      expect(stage.pass(wait - 1).take()).toEqual([])
      expect(stage.pass(1).take()).toEqual(['offer a to laptop'])
    }
  })

  it('leaves a device alone that withdraws the model after a refusal and announces it again', () => {
    const stage = new Stage().up('laptop').submit('a').refuse('a').pass(250).refuse('a')
    stage.take()
    stage
      .announce('laptop', [])
      .pass(100)
      .announce('laptop', [model('small')])
    expect(stage.pass(399).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['offer a to laptop'])
  })

  it('counts refusals from before a device withdrew the model', () => {
    const stage = new Stage().up('laptop').submit('a').refuse('a')
    stage
      .announce('laptop', [])
      .pass(250)
      .announce('laptop', [model('small')])
    stage.refuse('a').take()
    expect(stage.pass(499).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['offer a to laptop'])
  })

  it('trusts a device again once it accepts', () => {
    const stage = new Stage().up('laptop').submit('a').refuse('a').pass(250).refuse('a').pass(500).accept('a')
    stage.end('a')
    stage.take()
    stage.submit('b').refuse('b').take()
    expect(stage.pass(250).take()).toEqual(['offer b to laptop'])
  })

  it('trusts a device again once one of its jobs ends', () => {
    const stage = new Stage().up('laptop', { slots: 2 }).submit('a').accept('a').submit('b').refuse('b')
    stage.take()
    stage.end('a')
    expect(stage.take()).toEqual(['finish a: ended', 'offer b to laptop'])
  })

  it('offers the job to another device in the meantime', () => {
    const stage = new Stage().up('one', { slots: 2 }).up('two').submit('a').refuse('a')
    expect(stage.take()).toEqual(['offer a to one', 'offer a to two'])
  })

  it.each(['unsupported', 'wrong-organization'] as const)(
    'never offers a job again to a device that called it %s',
    (reason) => {
      const stage = new Stage().up('laptop').submit('a').refuse('a', reason).submit('b')
      expect(stage.take()).toEqual(['offer a to laptop', 'offer b to laptop'])
      stage.end('b')
      stage.take()
      expect(stage.up('laptop', { epoch: 2 }).pass(10_000).take()).toEqual([])
      expect(stage.up('desktop').take()).toEqual(['offer a to desktop'])
    },
  )
})

describe('losses before the first event', () => {
  it('[H84] moves the job to another device, unseen by the client', () => {
    const stage = new Stage().up('one').submit('a').accept('a').up('two').down('one')
    expect(stage.take()).toEqual(['offer a to one', 'offer a to two'])
  })

  it('prefers any other device to the one that failed, even if it has to wait for it', () => {
    const stage = new Stage().up('other').submit('busy').accept('busy').up('failing').submit('a').fail('a')
    expect(offersTo(stage)).toEqual(['offer busy to other', 'offer a to failing'])
    stage.end('busy')
    expect(offersTo(stage)).toEqual(['offer a to other'])
  })

  it('goes back to the device that failed when no other can do it', () => {
    const stage = new Stage()
      .up('able', { features: ['n'] })
      .up('plain')
      .submit('a', { features: ['n'] })
      .fail('a')
    expect(stage.take()).toEqual(['offer a to able', 'offer a to able'])
  })

  it('goes back to the device that failed when the other one leaves', () => {
    const stage = new Stage().up('other').submit('busy').accept('busy').up('failing').submit('a').fail('a')
    stage.take()
    stage.core.deviceDraining('other', 1, stage.now)
    expect(stage.take()).toEqual(['offer a to failing'])
  })
})

describe('losses after an event', () => {
  it.each<[string, Partial<Failure>, string]>([
    ['fails', {}, 'device-lost'],
    ['crashes', { crashed: true }, 'crashed'],
  ])('[S60] ends a stream that nobody can continue when its device %s', (_, failure, outcome) => {
    const stage = new Stage().up('one').up('two').submit('a').accept('a')
    stage.deliver('a')
    stage.take()
    expect(stage.fail('a', failure).take()).toEqual([`finish a: ${outcome}`])
  })

  it('[S60] ends a stream that nobody can continue when the link of its device is lost', () => {
    const stage = new Stage().up('one').up('two').submit('a').accept('a')
    stage.deliver('a')
    stage.take()
    expect(stage.down('one').take()).toEqual(['finish a: device-lost'])
  })

  it('[H84b] runs a whole reply again from the start', () => {
    const stage = new Stage().up('one').submit('a', { rerunnable: true }).accept('a').up('two')
    stage.deliver('a', 3)
    expect(stage.down('one').take()).toEqual(['offer a to one', 'offer a to two'])
  })

  it('gives a whole reply that broke off its full waiting time again', () => {
    const stage = new Stage().up('one').submit('a', { rerunnable: true }).accept('a').pass(100_000)
    stage.deliver('a')
    stage.pass(50_000).down('one').take()
    expect(stage.pass(119_999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['finish a: no-device'])
  })
})

describe('limits', () => {
  it('[S22] gives up after three accepted attempts that were lost', () => {
    const stage = new Stage().up('laptop').submit('a')
    for (let attempt = 1; attempt <= 3; attempt++) stage.accept('a').fail('a')
    expect(stage.take()).toEqual([...Array(3).fill('offer a to laptop'), 'finish a: device-lost'])
  })

  it('[S22] gives up after two crashes', () => {
    const stage = new Stage().up('laptop').submit('a')
    for (let attempt = 1; attempt <= 2; attempt++) stage.accept('a').fail('a', { crashed: true })
    expect(stage.take()).toEqual([...Array(2).fill('offer a to laptop'), 'finish a: crashed'])
  })

  it('[S22] does not count offers that were never accepted', () => {
    const stage = new Stage()
    stage.submit('a')
    for (let epoch = 1; epoch <= 6; epoch++) stage.up('laptop', { epoch }).down('laptop', epoch)
    expect(stage.take()).toEqual(Array(6).fill('offer a to laptop'))
  })

  it('[S22] ends a job at once when no other device would do any better', () => {
    const stage = new Stage().up('one').up('two').submit('a').accept('a')
    stage.take()
    const error = { code: 'context_length_exceeded', message: 'too long' }
    expect(stage.fail('a', { retryable: false, error }).take()).toEqual(['finish a: refused-by-device too long'])
  })
})

describe('reports', () => {
  it('[S24] believes only the device, link and attempt that hold the slot', () => {
    const stage = new Stage().up('laptop').up('desktop').submit('a').accept('a')
    stage.take()
    const from = stage.reporter('a')
    const failure = { retryable: false, crashed: false, error: { code: 'failed', message: '' } }
    for (const forged of [{ device: 'desktop' }, { epoch: 2 }, { attempt: 2 }, { job: 'b' }]) {
      const reporter = { ...from, ...forged }
      expect(stage.core.holds(reporter)).toBe(false)
      stage.core.delivered(reporter, { nextSequence: 1, tokens: 1, isShown: true }, stage.now)
      stage.core.ended(reporter, undefined, stage.now)
      stage.core.failed(reporter, failure, stage.now)
      stage.core.refused(reporter, 'busy', stage.now)
      stage.core.cancelConfirmed(reporter, stage.now)
      stage.core.faulted(reporter, stage.now)
    }
    expect(stage.take()).toEqual([])
    expect(stage.holds('a')).toBe(true)
    expect(stage.down('laptop').take()).toEqual(['offer a to desktop'])
  })

  it('[S24] drops reports on an attempt that was lost', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a')
    const before = stage.reporter('a')
    stage.fail('a').take()
    stage.core.ended(before, undefined, stage.now)
    expect(stage.take()).toEqual([])
    expect(stage.reporter('a').attempt).toBe(2)
    expect(stage.holds('a')).toBe(true)
  })

  it('[S25] reuses the slot of a device that says no more about the attempt', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a').deliver('a').submit('b')
    stage.take()
    expect(stage.confirm(stage.reporter('a')).take()).toEqual(['finish a: device-lost', 'offer b to laptop'])
  })

  it('[S25] stops a device whose reports make no sense', () => {
    const stage = new Stage().up('one').submit('a').accept('a').up('two')
    stage.take()
    stage.core.faulted(stage.reporter('a'), stage.now)
    expect(stage.take()).toEqual(['cancel a on one: superseded', 'offer a to two'])
  })

  it.each<[string, (stage: Stage) => void]>([
    ['progress', (stage) => stage.progress('a')],
    ['an event', (stage) => stage.deliver('a')],
  ])('treats %s as an accept', (_, speak) => {
    const stage = new Stage().up('laptop').submit('a')
    speak(stage)
    stage.take()
    expect(stage.pass(30_000).take()).toEqual([])
  })

  it('treats an end and an error as an accept', () => {
    const stage = new Stage().up('laptop').submit('a')
    expect(stage.end('a').take()).toEqual(['offer a to laptop', 'finish a: ended'])
    stage.submit('b')
    for (let attempt = 1; attempt <= 3; attempt++) stage.fail('b')
    expect(stage.take().at(-1)).toBe('finish b: device-lost')
  })

  it('[S24] treats a refusal after the accept as a loss', () => {
    const stage = new Stage().up('laptop').submit('a')
    for (let attempt = 1; attempt <= 3; attempt++) stage.accept('a').refuse('a')
    expect(stage.take().at(-1)).toBe('finish a: device-lost')
  })
})
