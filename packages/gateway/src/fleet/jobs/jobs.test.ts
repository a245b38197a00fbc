import { TextSum } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import type { SlotRequest } from '../terms/job.ts'
import { CONTINUED, FILE, JobStage } from '../testing/job-stage.ts'

const attempt = { job: 'j', attempt: 1 }

/** What the job has asked for last. */
function lastAsk({ messages }: JobStage): SlotRequest | undefined {
  return messages
    .flatMap((message) =>
      message.type === 'slot-request' ? message.request : message.type === 'settled' ? (message.again ?? []) : [],
    )
    .at(-1)
}

describe('the client of a job', () => {
  it('gets the end or the error after the job was recorded', () => {
    const stage = JobStage.waiting().lease().end(0)
    stage.submit({ job: 'f' })
    stage.decline({ kind: 'no-device' }, 'f')
    expect(stage.client).toEqual(['recorded', 'end stop', 'recorded', 'fail no-device'])
  })

  it('waits for the end until what was recorded is safe', () => {
    const acts: (() => void)[] = []
    const stage = new JobStage((act) => acts.push(act))
    stage.submit()
    stage.lease().end(0)
    expect(stage.client).toEqual(['recorded'])
    for (const act of acts) act()
    expect(stage.client).toEqual(['recorded', 'end stop'])
  })

  it('[H82i] is not told of an offer that found the link of its device gone', () => {
    const stage = JobStage.waiting().lease()
    stage.jobs.attemptLost({ ...attempt, wasSent: false })
    expect(stage.take()).toEqual(['request slot', 'start 1 on d1', 'd1 lost, again'])
    stage.lease(2).end(0, 2)
    expect(stage.records).toMatchObject([{ attempts: 1, outcome: { kind: 'ended' } }])
  })

  it('[H84b] loses what was collected of a whole reply when the job starts over, and only then', () => {
    const stage = JobStage.running({ rerunnable: true }).fail().lease(2).text(0, 'a', 2).fail(2)
    expect(stage.client).toEqual(['a'])
    stage.lease(3).text(0, 'b', 3).end(1, 3)
    expect(stage.client).toEqual(['a', 'restart', 'b', 'recorded', 'end stop'])
  })

  it.each([
    ['the rest of the wait since its request for a whole reply', true, 104_000],
    ['a full wait again for a stream', false, 120_000],
  ])('gets %s when a device is lost in the middle', (_, rerunnable, waitMs) => {
    const stage = JobStage.waiting({ rerunnable })
      .lease(1, { file: FILE })
      .text(0, 'a', 1, { ids: [1] })
    expect(lastAsk(stage.pass(16_000).fail())).toMatchObject({ waitMs })
  })
})

describe('a device that continues a reply', () => {
  it('gets its tokens, and is paused if the client reads slowly', () => {
    const stage = new JobStage()
    const handle = stage.submit()
    stage.lease(1, { file: FILE }).text(0, '', 1, { ids: [1, 2] })
    stage.text(1, 'He', 1, { tokens: 3, ids: 3 })
    handle.pause()
    stage.fail().take()
    stage.lease(2, CONTINUED)
    const sum = new TextSum()
    sum.add('He')
    const begun = { tokens: [1, 2, 3], length: 2, checksum: sum.checksum, hasCalls: false }
    const [start] = stage.messages
    expect(start?.type === 'start' && JSON.parse(start.request)).toMatchObject({ recovery: { choices: [begun] } })
    stage.accept(2).text(0, 'llo', 2).end(1, 2)
    expect(stage.take().slice(0, 3)).toEqual(['start 2 on d2', 'd2 accepted', 'order d2 job-pause'])
    expect(stage.client).toEqual(['He', 'llo', 'recorded', 'end stop'])
  })

  it('is not asked to start over what the client has', () => {
    const stage = JobStage.waiting()
      .lease(1, { file: FILE })
      .text(0, 'a', 1, { ids: [1] })
    stage.fail().take()
    expect(stage.lease(2).take()).toEqual(['d2 unused'])
    expect(stage.client).toEqual(['a'])
  })
})

describe('a job that lost its device', () => {
  it('asks for another slot, and says which device to avoid', () => {
    const stage = JobStage.running().fail()
    expect(stage.take()).toEqual(['request slot', 'start 1 on d1', 'd1 accepted', 'd1 failed, again'])
    expect(stage.lease(2).take()).toEqual(['start 2 on d2'])
  })

  it('uses up no attempt if the device gave it back, or could not load its model', () => {
    const stage = JobStage.waiting()
    for (const number of [1, 2, 3, 4]) {
      const of = { job: 'j', attempt: number }
      stage.lease(number)
      if (number % 2 === 0) stage.say({ type: 'job-refuse', ...of, reason: 'busy' })
      else stage.say({ type: 'job-progress', ...of, phase: 'loading' }).fail(number)
    }
    expect(stage.client).toEqual([])
    expect(stage.take().filter((what) => what.endsWith('refused, again'))).toHaveLength(4)
  })

  it('never goes back to a device that can not do it', () => {
    const stage = JobStage.waiting()
      .lease()
      .say({ type: 'job-refuse', ...attempt, reason: 'unsupported' })
    expect(lastAsk(stage)).toMatchObject({ excluded: ['d1'], avoided: undefined })
  })

  it('asks for the same file if the client has a part of the reply', () => {
    const stage = JobStage.waiting()
      .lease(1, { file: FILE })
      .text(0, 'a', 1, { ids: [1] })
      .fail()
    expect(lastAsk(stage)).toMatchObject({ begun: FILE, mustContinue: true, avoided: ['d1'] })
  })
})

describe('a device that takes too long', () => {
  it('to answer has lost the job after ten seconds', () => {
    const stage = JobStage.waiting().lease()
    stage.take()
    expect(stage.wait(10_000).take()).toEqual(['d1 late', 'request second', 'order d1 job-cancel', 'd1 silent, again'])
  })

  it.each([
    ['to begin has lost the job', 0, 120_000],
    ['between two events has lost the job', 1, 60_000],
  ])('%s', (_, events, ms) => {
    const stage = JobStage.running({ rerunnable: true })
    if (events > 0) stage.text(0, 'a')
    stage.take()
    expect(stage.wait(ms - 1).take()).toEqual([])
    expect(stage.wait(1).take()).toEqual(['order d1 job-cancel', 'd1 stopping, again'])
  })

  it('altogether ends the job', () => {
    const stage = JobStage.running()
    for (let sequence = 0; sequence < 60; sequence++) stage.wait(30_000).text(sequence, 'x')
    expect(stage.client.slice(-2)).toEqual(['recorded', 'fail timed-out'])
  })
})

describe('the owner of a device who wants it back', () => {
  it('gets it back if another one has a slot right now', () => {
    const stage = JobStage.waiting()
      .lease()
      .accept()
      .say({ type: 'job-hand-over', ...attempt })
    expect(stage.take().slice(3)).toEqual(['request move'])
    expect(stage.lease(2, { want: 'move' }).take()).toEqual(['order d1 job-cancel', 'd1 stopping', 'start 2 on d2'])
    expect(stage.accept(2).text(0, 'a', 2).end(1, 2).client).toEqual(['a', 'recorded', 'end stop'])
  })

  it('does not if the job has got further than the other one knows', () => {
    const stage = JobStage.waiting()
      .lease()
      .accept()
      .say({ type: 'job-hand-over', ...attempt })
      .text(0, 'a')
    stage.take()
    expect(stage.lease(2, { want: 'move' }).take()).toEqual(['d2 unused'])
  })
})

describe('a job whose organization moves to another scheduler', () => {
  it('asks again with its age, unless it has a device', () => {
    const stage = new JobStage()
    for (const job of ['j', 'waiting']) stage.submit({ job })
    stage.lease().accept().pass(500).take()
    stage.jobs.requestAgain(() => true)
    expect(stage.messages).toMatchObject([
      { type: 'slot-request', request: { ticket: { job: 'waiting' }, ageMs: 500, waitMs: 119_500, isFirst: false } },
    ])
  })

  it('takes one of two slots that it is given, and the scheduler that gave the other hears of it', () => {
    const stage = JobStage.waiting().lease()
    stage.take()
    expect(stage.lease(2).take()).toEqual(['d2 unused'])
    expect(stage.lastTold).toBe('scheduler')
  })

  it('ends if no scheduler decides about it', () => {
    const stage = JobStage.waiting()
    expect(stage.wait(130_000).client).toEqual(['recorded', 'fail no-device'])
  })
})
