import type { DeviceFrame } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import type { JobFrame } from '../terms/job-frame.ts'
import { FILE, JobStage } from '../testing/job-stage.ts'

const attempt = { job: 'j', attempt: 1 }
const token = { token: 'a', logprob: -1, bytes: Array.from({ length: 500 }, () => 1) }
const failure = { code: 'failed', message: '', retryable: true, crashed: false } as const

function list<Item>(length: number, item: Item): Item[] {
  return Array.from({ length }, () => item)
}

/** A job that a device has accepted. */
function begin(rerunnable = false, choices = 1): JobStage {
  const stage = JobStage.waiting({ rerunnable }, choices)
  stage.lease().accept().take()
  return stage
}

describe('events', () => {
  it('fail the attempt when its end comes too early, and nothing is left to stop', () => {
    const stage = begin().text(0, 'a').end(5)
    expect(stage.client).toEqual(['a', 'recorded', 'fail device-lost'])
    expect(stage.take()).toEqual(['d1 failed'])
  })

  it('fail the attempt when its end leaves a choice out', () => {
    expect(begin(false, 2).end(0).take()).toEqual(['d1 failed, again'])
  })

  it('fail the attempt when they are for a choice that nobody requested', () => {
    const stage = begin().say({ type: 'job-delta', ...attempt, sequence: 0, choice: 1, text: 'x' })
    expect(stage.client).toEqual([])
    expect(stage.take()).toEqual(['order d1 job-cancel', 'd1 stopping, again'])
  })

  it('that only bring tokens are not shown', () => {
    const stage = JobStage.waiting()
      .lease(1, { file: FILE })
      .text(0, '', 1, { ids: [1, 2] })
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
    const stage = JobStage.waiting()
    expect(stage.lease().say(frame).take()[2]).toBe('d1 accepted')
  })
})

describe('a reply that is too long', () => {
  it('fails the attempt', () => {
    const stage = begin(true)
    for (let sequence = 0; sequence < 70; sequence++) stage.text(sequence, 'x'.repeat(1_000_000))
    expect(stage.client).toHaveLength(67)
    expect(stage.take()).toContain('order d1 job-cancel')
  })

  it('is one attempt: the next one starts from nothing', () => {
    const stage = begin(true)
    for (const attempt of [1, 2]) {
      for (let sequence = 0; sequence < 40; sequence++) stage.text(sequence, 'x'.repeat(1_000_000), attempt)
      if (attempt === 1) stage.fail(attempt).lease(2)
    }
    expect(stage.take()).not.toContain('order d2 job-cancel')
  })

  it.each<[string, object]>([
    ['calls', { type: 'job-calls', calls: [{ id: 'i', name: 'n', arguments: 'x'.repeat(1_000_000) }] }],
    ['small calls', { type: 'job-calls', calls: list(128, { id: '', name: '', arguments: '' }) }],
    [
      'citations',
      { type: 'job-annotations', annotations: list(60, { url: '', title: 't'.repeat(8_000), start: 0, end: 1 }) },
    ],
    ['log probabilities', { type: 'job-delta', text: '', logprobs: list(20, { ...token, top: list(20, token) }) }],
  ])('counts what %s take up', (_what, frame) => {
    const stage = begin(true)
    const isStopped = () => stage.messages.some(({ type }) => type === 'order')
    for (let sequence = 0; sequence < 10_000 && !isStopped(); sequence++)
      stage.say({ ...attempt, choice: 0, sequence, ...frame } as Extract<DeviceFrame, { choice: number }>)
    expect(isStopped()).toBe(true)
  })
})
