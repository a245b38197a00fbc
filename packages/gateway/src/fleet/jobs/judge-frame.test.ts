import type { DeviceFrame } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import type { JobFrame } from '../terms/job-frame.ts'
import { FILE, FrontStage } from '../testing/front-stage.ts'

const attempt = { job: 'j', attempt: 1 }
const token = { token: 'a', logprob: -1, bytes: Array.from({ length: 500 }, () => 1) }
const failure = { code: 'failed', message: '', retryable: true, crashed: false } as const

function list<Item>(length: number, item: Item): Item[] {
  return Array.from({ length }, () => item)
}

/** A job that a device has accepted. */
function begin(rerunnable = false, choices = 1): FrontStage {
  const stage = new FrontStage()
  stage.submit({ rerunnable }, choices)
  stage.grant().accept().take()
  return stage
}

describe('events', () => {
  it('[S25] reach the client in order, and only once', () => {
    const stage = begin().text(0, 'a').text(1, 'b').text(1, 'b').text(0, 'a').text(2, 'c').end(3)
    expect(stage.client).toEqual(['a', 'b', 'c', 'recorded', 'end stop'])
  })

  it('[S25] fail the attempt where one is missing, and the device is told to stop', () => {
    const stage = begin().text(0, 'a').text(2, 'c').text(1, 'b')
    expect(stage.client).toEqual(['a'])
    expect(stage.take()).toEqual(['report 1 delivered', 'tell d1 job-cancel', 'report 1 faulted'])
  })

  it('[S25] fail the attempt when its end comes too early, and nothing is left to stop', () => {
    const stage = begin().text(0, 'a').end(5)
    expect(stage.client).toEqual(['a'])
    expect(stage.take()).toEqual(['report 1 delivered', 'report 1 over'])
  })

  it('[S25] fail the attempt when its end leaves a choice out', () => {
    expect(begin(false, 2).end(0).take()).toEqual(['report 1 over'])
  })

  it('[S25] fail the attempt when they are for a choice that nobody requested', () => {
    const stage = begin().say({ type: 'job-delta', ...attempt, sequence: 0, choice: 1, text: 'x' })
    expect(stage.client).toEqual([])
    expect(stage.take()).toEqual(['tell d1 job-cancel', 'report 1 faulted'])
  })

  it('[S24] of an attempt that was lost are dropped', () => {
    const stage = begin(true)
      .text(0, 'a')
      .say({ type: 'job-error', ...attempt, ...failure })
    stage.grant(2).text(1, 'late').end(1).text(0, 'b', 2)
    expect(stage.client).toEqual(['a', 'restart', 'b'])
  })

  it('that only bring tokens are not shown', () => {
    const stage = new FrontStage()
    stage.submit()
    stage.grant(1, { file: FILE }).say({ type: 'job-delta', ...attempt, sequence: 0, choice: 0, text: '', ids: [1, 2] })
    expect(stage.text(1, 'He').client).toEqual(['He'])
  })
})

describe('a device that was asked', () => {
  it.each<[string, JobFrame]>([
    ['progress', { type: 'job-progress', ...attempt, phase: 'prompt' }],
    ['an event', { type: 'job-delta', ...attempt, sequence: 0, choice: 0, text: 'a' }],
    ['an end', { type: 'job-end', ...attempt, sequence: 0, finishes: ['stop'] }],
    ['an error', { type: 'job-error', ...attempt, ...failure }],
  ])('has accepted the job with %s', (_, frame) => {
    const stage = new FrontStage()
    stage.submit()
    expect(stage.grant().say(frame).take()[2]).toBe('report 1 accepted')
  })

  it('[S49] runs the job if it accepts before the other one, which is told to stop', () => {
    const stage = new FrontStage()
    stage.submit()
    stage.grant().grant(2, { isSecond: true }).take()
    stage.accept(2).text(0, 'second', 2).text(0, 'first')
    expect(stage.client).toEqual(['second'])
    expect(stage.take()).toEqual(['report 2 accepted', 'tell d1 job-cancel', 'report 2 delivered'])
    stage.say({ type: 'job-cancelled', ...attempt })
    expect(stage.take()).toEqual(['report 1 over'])
  })

  it('[S49] keeps the job when the other one refuses', () => {
    const stage = new FrontStage()
    stage.submit()
    stage.grant().grant(2, { isSecond: true }).take()
    stage.say({ type: 'job-refuse', ...attempt, reason: 'busy' }).text(0, 'second', 2)
    expect(stage.client).toEqual(['second'])
  })
})

describe('the scheduler', () => {
  it('hears of the first event at once, and then once in a sign interval', () => {
    const stage = begin()
    for (let sequence = 0; sequence < 40; sequence++) stage.pass(100).text(sequence, 'x')
    expect(stage.take()).toEqual(list(5, 'report 1 delivered'))
  })

  it('hears of every event of a slow device', () => {
    const stage = begin()
    for (let sequence = 0; sequence < 5; sequence++) stage.pass(30_000).text(sequence, 'x')
    expect(stage.take()).toEqual(list(5, 'report 1 delivered'))
  })

  it('hears of what the client sees of a reply that began with nothing to see', () => {
    const stage = begin().text(0, '').text(1, 'a')
    const delivered = stage.messages.flatMap((message) => (message.type === 'report' ? [message.delivered] : []))
    expect(delivered).toMatchObject([
      { nextSequence: 1, isShown: false },
      { nextSequence: 2, isShown: true },
    ])
  })

  it('[S63] hears that the owner of a device wants it back, once the device has the job', () => {
    const stage = new FrontStage()
    stage.submit()
    stage.grant().take()
    const handOver = { type: 'job-hand-over', ...attempt } as const
    expect(stage.say(handOver).take()).toEqual([])
    expect(stage.accept().say(handOver).take()).toEqual(['report 1 accepted', 'report 1 hand-over'])
  })

  it('[S63] does not take that for a sign that the job goes on', () => {
    const stage = begin().text(0, 'a').text(1, 'b')
    stage.say({ type: 'job-hand-over', ...attempt })
    expect(stage.messages.at(-1)).toMatchObject({ report: { kind: 'hand-over' }, delivered: undefined })
  })
})

describe('a reply that is too long', () => {
  it('[L6] fails the attempt', () => {
    const stage = begin(true)
    for (let sequence = 0; sequence < 70; sequence++) stage.text(sequence, 'x'.repeat(1_000_000))
    expect(stage.client).toHaveLength(67)
    expect(stage.take()).toContain('tell d1 job-cancel')
  })

  it('[L6] is one attempt: the next one starts from nothing', () => {
    const stage = begin(true)
    for (const attempt of [1, 2]) {
      for (let sequence = 0; sequence < 40; sequence++) stage.text(sequence, 'x'.repeat(1_000_000), attempt)
      if (attempt === 1) stage.say({ type: 'job-error', job: 'j', attempt, ...failure }).grant(2)
    }
    expect(stage.take()).not.toContain('tell d2 job-cancel')
  })

  it.each<[string, object]>([
    ['calls', { type: 'job-calls', calls: [{ id: 'i', name: 'n', arguments: 'x'.repeat(1_000_000) }] }],
    ['small calls', { type: 'job-calls', calls: list(128, { id: '', name: '', arguments: '' }) }],
    [
      'citations',
      { type: 'job-annotations', annotations: list(60, { url: '', title: 't'.repeat(8_000), start: 0, end: 1 }) },
    ],
    ['log probabilities', { type: 'job-delta', text: '', logprobs: list(20, { ...token, top: list(20, token) }) }],
  ])('[L6] counts what %s take up', (_what, frame) => {
    const stage = begin(true)
    const isStopped = () => stage.messages.some(({ type }) => type === 'tell')
    for (let sequence = 0; sequence < 10_000 && !isStopped(); sequence++)
      stage.say({ ...attempt, choice: 0, sequence, ...frame } as Extract<DeviceFrame, { choice: number }>)
    expect(isStopped()).toBe(true)
  })
})
