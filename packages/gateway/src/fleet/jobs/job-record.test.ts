import { describe, expect, it } from 'vitest'
import type { JobFrame } from '../terms/job-frame.ts'
import { CONTINUED, FILE, JobStage } from '../testing/job-stage.ts'

const attempt = { job: 'j', attempt: 1 }
const place = { ...attempt, choice: 0, sequence: 0 }
const token = { token: 't', logprob: -1, bytes: [116], top: [] }

function open(rerunnable = false) {
  const stage = new JobStage()
  const handle = stage.submit({ rerunnable })
  return { stage, cancel: () => handle.cancel('client-gone') }
}

/** A running job that has delivered 5 tokens; its prompt of 40 characters is estimated at 10 tokens. */
function begin(rerunnable = false) {
  const { stage, cancel } = open(rerunnable)
  stage.lease().text(0, 'a', 1, { tokens: 2 })
  stage.text(1, 'b', 1, { tokens: 3 })
  return { stage, cancel }
}

describe('the tokens of a job', () => {
  it('count the prompt once and the answer for every choice', () => {
    const stage = JobStage.waiting({}, 3)
    const usage = { promptTokens: 10, completionTokens: 7 }
    stage.lease().say({ type: 'job-end', ...attempt, sequence: 0, finishes: ['stop', 'stop', 'stop'], usage })
    expect(stage.records).toMatchObject([{ tokens: { prompt: 10, completion: 21 } }])
  })

  it.each<[string, (job: ReturnType<typeof begin>) => unknown]>([
    ['ended without a count', ({ stage }) => stage.end(2)],
    ['was cancelled', ({ cancel }) => cancel()],
    ['lost its device', ({ stage }) => stage.fail()],
    ['fell silent', ({ stage }) => stage.wait(60_000)],
    ['lost its key', ({ stage }) => stage.jobs.keyRevoked('k')],
    ['was shut down', ({ stage }) => stage.jobs.shutdown()],
  ])('are the prompt and what was delivered when it %s', (_, end) => {
    const job = begin()
    end(job)
    expect(job.stage.records).toMatchObject([{ tokens: { prompt: 10, completion: 5 } }])
  })

  it('take the prompt from the progress of reading it, and from no other', () => {
    const { stage, cancel } = open()
    stage.lease().say({ type: 'job-progress', ...attempt, phase: 'prompt', done: 1, total: 77 })
    stage.say({ type: 'job-progress', ...attempt, phase: 'loading', done: 1, total: 4_000_000 })
    cancel()
    expect(stage.records).toMatchObject([{ tokens: { prompt: 77, completion: 0 } }])
  })

  it.each<[string, JobFrame, number]>([
    ['as the device counted', { type: 'job-delta', ...place, text: 'abcd', tokens: 3, logprobs: [token] }, 3],
    ['by log probabilities', { type: 'job-delta', ...place, text: 'abcd', logprobs: [token, token] }, 2],
    ['by the length of the text, rounded up', { type: 'job-delta', ...place, text: 'x'.repeat(9) }, 3],
    [
      'by the length of tool calls',
      { type: 'job-calls', ...place, calls: [{ id: 'i', name: 'find', arguments: '{"a":1}' }] },
      3,
    ],
    [
      'without citations',
      { type: 'job-annotations', ...place, annotations: [{ url: 'u', title: 't', start: 0, end: 1 }] },
      0,
    ],
  ])('of a job that was cancelled are counted %s', (_, frame, completion) => {
    const { stage, cancel } = open()
    stage.lease().say(frame)
    cancel()
    expect(stage.records).toMatchObject([{ outcome: { kind: 'cancelled' }, tokens: { prompt: 10, completion } }])
  })
})

describe('the record of a job', () => {
  it('says how long the job waited until a device accepted it, and which', () => {
    const { stage } = open()
    stage.pass(700).lease().pass(50).accept().pass(9_000).end(0)
    expect(stage.records).toMatchObject([{ device: 'd1', waitMs: 750, firstEventMs: 9_750, attempts: 1 }])
  })

  it.each([true, false])(
    'waits no longer once a device has begun, also if others continue (whole: %s)',
    (rerunnable) => {
      const { stage } = open(rerunnable)
      stage.lease(1, { file: FILE }).pass(100).accept().pass(14)
      stage.text(0, 'a', 1, { tokens: 1, ids: [1] }).pass(6_000)
      stage.fail().lease(2, CONTINUED)
      stage.pass(570).say({ type: 'job-accept', job: 'j', attempt: 2 }).pass(4_000).end(0, 2)
      expect(stage.records).toMatchObject([{ device: 'd2', waitMs: 100, firstEventMs: 114, totalMs: 10_684 }])
    },
  )

  it.each([true, false])(
    'waits no longer once a device has begun, also if nobody continues (whole: %s)',
    (rerunnable) => {
      const { stage, cancel } = open(rerunnable)
      stage.lease().pass(100).accept().pass(14).text(0, 'a', 1, { tokens: 1 }).pass(6_000)
      stage.fail().pass(4_000)
      cancel()
      expect(stage.records).toMatchObject([{ waitMs: 100, firstEventMs: 114, totalMs: rerunnable ? 10_114 : 6_114 }])
    },
  )

  it('counts loading as waiting, and no tokens for it', () => {
    const { stage } = open()
    const progress = { type: 'job-progress', ...attempt } as const
    stage
      .lease()
      .say({ ...progress, phase: 'loading' })
      .pass(6_000)
    stage
      .say({ ...progress, phase: 'queued' })
      .pass(100)
      .end(0)
    expect(stage.records).toMatchObject([{ outcome: { kind: 'ended' }, waitMs: 6_000 }])
    const left = open()
    left.stage
      .lease()
      .say({ ...progress, phase: 'loading' })
      .pass(3_000)
    left.cancel()
    expect(left.stage.records).toMatchObject([{ waitMs: 3_000, tokens: { prompt: 0, completion: 0 } }])
  })

  it('says whose reply was continued, and how long nothing came', () => {
    const { stage } = open()
    stage.lease(1, { file: FILE }).text(0, 'a', 1, { tokens: 1, ids: [1] })
    stage.pass(400).fail().pass(300).lease(2, CONTINUED).pass(200)
    stage.text(0, 'b', 2, { tokens: 1, ids: [2] }).pass(5_000)
    stage.end(1, 2)
    expect(stage.records).toMatchObject([{ device: 'd2', takeOver: { left: 'd1', gapMs: 900 } }])
  })

  it('names no device that was left before it wrote anything, or whose part was discarded', () => {
    const refused = open()
    refused.stage.lease().accept().fail().lease(2).end(0, 2)
    const discarded = begin(true)
    discarded.stage.fail().lease(2).text(0, 'a', 2).end(1, 2)
    const records = [refused, discarded].flatMap(({ stage }) => stage.records)
    expect(records).toMatchObject([
      { device: 'd2', takeOver: undefined },
      { device: 'd2', takeOver: undefined },
    ])
  })

  it('says what was expected of a sample, also if another scheduler gave the last slot', () => {
    const { stage } = open()
    stage.lease(1, { expectedMs: 250 }).accept().fail()
    stage.lease(2).end(0, 2)
    expect(stage.records).toMatchObject([{ expectedMs: 250 }])
  })
})
