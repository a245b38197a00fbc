import { describe, expect, it } from 'vitest'
import { Stage } from './stage.ts'

describe('an offer without an answer', () => {
  it('[S30] goes to another device, and the slot is suspect', () => {
    const stage = new Stage().up('mute').submit('a').up('other')
    stage.take()
    expect(stage.pass(10_000).take()).toEqual(['offer a to other', 'cancel a on mute: timed-out'])
    expect(stage.core.stats(stage.now)).toMatchObject({ leases: 2, suspect: 1 })
    expect(stage.submit('b').take()).toEqual([])
  })

  it.each<[string, (stage: Stage) => void]>([
    ['confirms', (stage) => stage.confirm({ device: 'mute', epoch: 1, job: 'a', attempt: 1 })],
    ['refuses', (stage) => stage.core.refused({ device: 'mute', epoch: 1, job: 'a', attempt: 1 }, 'busy', stage.now)],
    ['links again', (stage) => stage.up('mute', { epoch: 2 })],
  ])('[S31] frees the slot when the device %s after all', (_, speak) => {
    const stage = new Stage().up('mute').submit('a').pass(10_000).submit('b').cancel('a')
    stage.take()
    speak(stage)
    expect(stage.take()).toEqual(['offer b to mute'])
    expect(stage.core.stats(stage.now).suspect).toBe(0)
  })

  it('[S31] keeps the slot of a device that accepts too late until it confirms the stop', () => {
    const stage = new Stage().up('late').submit('a').pass(10_000)
    const reporter = stage.reporter('a')
    stage.submit('b').take()
    stage.core.accepted(reporter, stage.now)
    stage.core.delivered(reporter, { nextSequence: 1, tokens: 1, isShown: true }, stage.now)
    expect(stage.take()).toEqual([])
    expect(stage.confirm(reporter).take()).toEqual(['offer a to late'])
  })
})

describe('silence', () => {
  it('[S30] gives up on an accepted job without an event', () => {
    const stage = new Stage().up('hung').submit('a').accept('a').up('other')
    stage.take()
    expect(stage.pass(119_999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['cancel a on hung: timed-out', 'offer a to other'])
  })

  it('waits longer for a device that reports progress', () => {
    const stage = new Stage().up('slow').submit('a').accept('a')
    for (let minutes = 0; minutes < 20; minutes++) {
      stage.pass(60_000)
      stage.progress('a')
    }
    expect(stage.take()).toEqual(['offer a to slow'])
    expect(stage.holds('a')).toBe(true)
  })

  it('[S30] ends a job that found only silent devices', () => {
    const stage = new Stage({ attempts: 2 }).up('hung', { slots: 2 }).submit('a').accept('a').pass(120_000).accept('a')
    stage.take()
    expect(stage.pass(120_000).take()).toEqual(['cancel a on hung: timed-out', 'finish a: timed-out first-event'])
  })

  it('[S30] ends a stream that falls silent', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a').pass(1_000)
    stage.deliver('a')
    stage.pass(50_000)
    stage.deliver('a', 2)
    stage.take()
    expect(stage.pass(59_999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['cancel a on laptop: timed-out', 'finish a: timed-out gap'])
  })

  it('[S30] runs a whole reply that falls silent on another device', () => {
    const stage = new Stage().up('one').submit('a', { rerunnable: true }).accept('a').up('two')
    stage.deliver('a')
    stage.take()
    expect(stage.pass(60_000).take()).toEqual(['cancel a on one: timed-out', 'offer a to two'])
  })

  it('counts progress as a sign of life between events', () => {
    const stage = new Stage().up('laptop').submit('a').accept('a')
    stage.deliver('a')
    stage.pass(40_000).progress('a')
    stage.take()
    expect(stage.pass(40_000).take()).toEqual([])
    expect(stage.holds('a')).toBe(true)
  })
})

describe('total time', () => {
  const limits = { totalMs: 100_000, gapMs: 60_000 }

  it('[S30] ends a job that runs too long, even while events arrive', () => {
    const stage = new Stage(limits).up('laptop').submit('a').pass(5_000).accept('a')
    for (let events = 1; events <= 10; events++) {
      stage.deliver('a', events)
      stage.pass(9_999)
    }
    stage.take()
    expect(stage.pass(10).take()).toEqual(['cancel a on laptop: timed-out', 'finish a: timed-out total'])
  })

  it('[S30] counts from the first accept, over all attempts', () => {
    const stage = new Stage(limits).up('one').submit('a', { rerunnable: true }).accept('a').pass(50_000)
    stage.deliver('a')
    stage.up('two').down('one').accept('a').take()
    expect(stage.pass(49_999).take()).toEqual([])
    expect(stage.pass(1).take()).toEqual(['cancel a on two: timed-out', 'finish a: timed-out total'])
  })

  it('[S30] ends a job that waits to be run again', () => {
    const stage = new Stage(limits).up('one').submit('a', { rerunnable: true }).accept('a').pass(50_000)
    stage.deliver('a')
    stage.down('one').take()
    expect(stage.pass(50_000).take()).toEqual(['finish a: timed-out total'])
  })
})

describe('the next deadline', () => {
  it('is the earliest of all, and undefined when nothing is under way', () => {
    const stage = new Stage()
    expect(stage.core.nextDeadline()).toBeUndefined()
    stage.submit('a')
    expect(stage.core.nextDeadline()).toBe(stage.now + 5_000)
    expect(stage.pass(5_000).core.nextDeadline()).toBe(stage.now + 115_000)
    stage.up('laptop')
    expect(stage.core.nextDeadline()).toBe(stage.now + 1_000)
    stage.end('a')
    expect(stage.core.nextDeadline()).toBeUndefined()
  })
})
