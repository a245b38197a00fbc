import { describe, expect, it } from 'vitest'
import { CONTINUED, FILE, JobStage } from '../testing/job-stage.ts'

const failure = { code: 'invalid_json_schema', message: '', retryable: false, crashed: false } as const

/** A sealed job that a device has accepted. */
function begin(fields: { rerunnable?: boolean; hasRoom?: boolean } = {}): JobStage {
  const stage = new JobStage()
  stage.submitSealed(fields)
  stage.lease(1, { file: FILE }).accept().take()
  return stage
}

describe('the reply of a sealed job', () => {
  it('reaches the client as it came, in order and once', () => {
    const stage = begin().box(0, 'a').box(1, 'b').box(1, 'b').boxedEnd(2, 'c')
    expect(stage.client).toEqual(['1/0 a', '1/1 b', 'recorded', 'end 1/2 c'])
  })

  it('is continued by a device that gets all boxes of those before it', () => {
    const stage = begin().box(0, 'a').box(1, 'b')
    stage.jobs.attemptLost({ job: 'j', attempt: 1, wasSent: true })
    stage.lease(2, CONTINUED).accept(2).box(0, 'c', 2)
    stage.jobs.attemptLost({ job: 'j', attempt: 2, wasSent: true })
    stage.lease(3, CONTINUED)
    expect(stage.lastRequest()).toMatchObject({
      recovery: {
        begun: [
          { attempt: 1, boxes: ['a', 'b'] },
          { attempt: 2, boxes: ['c'] },
        ],
      },
    })
    stage.accept(3).boxedEnd(0, 'd', 3)
    expect(stage.client).toEqual(['1/0 a', '1/1 b', '2/0 c', 'recorded', 'end 3/0 d'])
  })

  it('starts over without boxes if it is not continued', () => {
    const stage = begin({ rerunnable: true }).box(0, 'a')
    stage.jobs.attemptLost({ job: 'j', attempt: 1, wasSent: true })
    stage.lease(2, { file: FILE })
    expect(stage.lastRequest()).toEqual({ sealed: {}, recovery: {} })
    stage.accept(2).box(0, 'b', 2).boxedEnd(1, 'c', 2)
    expect(stage.client).toEqual(['1/0 a', 'restart', '2/0 b', 'recorded', 'end 2/1 c'])
  })

  it('is not continued when there is no memory for its boxes', () => {
    const stage = begin({ hasRoom: false }).box(0, 'a').box(1, 'b')
    stage.jobs.attemptLost({ job: 'j', attempt: 1, wasSent: true })
    expect(stage.client).toEqual(['1/0 a', '1/1 b', 'recorded', 'fail device-lost'])
  })

  it('counts the tokens that the device reports, and else about one per box', () => {
    const stage = begin()
      .box(0, 'a')
      .box(1, 'b'.repeat(108 + 40))
    stage.say({ type: 'job-sealed', job: 'j', attempt: 1, sequence: 2, box: 'c', tokens: 5 }).boxedEnd(3, 'd')
    expect(stage.records[0]).toMatchObject({ tokens: { completion: 1 + 11 + 5 } })
  })

  it('says why the device rejected the request, in a box', () => {
    const stage = begin().say({ type: 'job-error', job: 'j', attempt: 1, ...failure, box: 'why' })
    expect(stage.client).toEqual(['recorded', 'fail refused-by-device 1 why'])
  })

  it('has no box about a failure that is not the device’s', () => {
    const stage = begin()
    for (const number of [1, 2, 3])
      stage.lease(number).say({ type: 'job-error', job: 'j', attempt: number, ...failure, retryable: true, box: 'why' })
    expect(stage.client).toEqual(['recorded', 'fail device-lost'])
  })
})

describe('a device that mixes up the two kinds of jobs', () => {
  const faulted = ['order d1 job-cancel', 'd1 stopping, again']

  it('is stopped if it answers a sealed job in the clear', () => {
    expect(begin().text(0, 'a').take()).toEqual(faulted)
    expect(begin().end(0).take()).toEqual(faulted)
    expect(begin().text(0, 'a').client).toEqual([])
  })

  it('is stopped if it seals the answer to a request in the clear', () => {
    const plain = () => {
      const stage = JobStage.waiting()
      stage.lease().accept().take()
      return stage
    }
    expect(plain().box(0, 'a').take()).toEqual(faulted)
    expect(plain().boxedEnd(0, 'a').take()).toEqual(faulted)
  })
})
