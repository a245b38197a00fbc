import { TextSum } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import type { JobStatement } from '../terms/messages.ts'
import { NEW_COURSE } from '../terms/job.ts'
import { FILE, FrontStage } from '../testing/front-stage.ts'

const attempt = { job: 'j', attempt: 1 }
const failure = { code: 'failed', message: '', retryable: true, crashed: false } as const
const CONTINUED = { file: FILE, course: { ...NEW_COURSE, losses: 1, begun: FILE } }

function lose(stage: FrontStage, number = 1): FrontStage {
  return stage.say({ type: 'job-error', job: 'j', attempt: number, ...failure })
}

function statementOf(stage: FrontStage): JobStatement {
  return stage.front.state(() => true).get('o')![0]!
}

describe('the client of a job', () => {
  it('[O7d] gets the end or the error after the job was recorded', () => {
    const stage = new FrontStage()
    stage.submit()
    stage.grant().end(0)
    stage.submit({ job: 'f' })
    stage.finish({ kind: 'no-device' }, undefined, 'f')
    expect(stage.client).toEqual(['recorded', 'end stop', 'recorded', 'fail no-device'])
  })

  it('[H84b] loses what was collected of a whole reply when the job starts over, and only then', () => {
    const stage = new FrontStage()
    stage.submit({ rerunnable: true })
    lose(stage.grant().accept())
    lose(stage.grant(2).text(0, 'a', 2), 2)
    expect(stage.client).toEqual(['a'])
    stage.grant(3).text(0, 'b', 3).end(1, 3)
    expect(stage.client).toEqual(['a', 'restart', 'b', 'recorded', 'end stop'])
  })

  it('[I86c] gets an error when its reply has no room, and the device is told to stop', () => {
    const stage = new FrontStage()
    const handle = stage.submit({ rerunnable: true })
    stage.grant().accept().take()
    handle.giveUp('organization')
    handle.giveUp('organization')
    expect(stage.client).toEqual(['recorded', 'fail out-of-memory'])
    expect(stage.take()).toEqual(['tell d1 job-cancel', 'cancel'])
    expect(stage.records).toMatchObject([{ outcome: { kind: 'out-of-memory', full: 'organization' } }])
  })

  it('[M20b] gets an error when its key is revoked, and others go on', () => {
    const stage = new FrontStage()
    for (const [job, key] of Object.entries({ j: 'bad', waiting: 'bad', other: 'good' })) stage.submit({ job, key })
    stage.grant().accept().take()
    stage.front.keyRevoked('bad')
    expect(stage.messages[0]).toMatchObject({ frame: { ...attempt, reason: 'revoked' } })
    expect(stage.take()).toEqual(['tell d1 job-cancel', 'cancel', 'cancel'])
    expect(stage.records.map(({ ticket, outcome }) => [ticket.job, outcome.kind])).toEqual([
      ['j', 'key-revoked'],
      ['waiting', 'key-revoked'],
    ])
  })

  it('gets an error at a shutdown, and when it comes later', () => {
    const stage = new FrontStage()
    for (const job of ['j', 'waiting']) stage.submit({ job })
    stage.grant().accept().take()
    stage.front.shutdown()
    expect(stage.messages[0]).toMatchObject({ frame: { ...attempt, reason: 'shutdown' } })
    expect(stage.take()).toEqual(['tell d1 job-cancel', 'cancel', 'cancel'])
    stage.submit({ job: 'late' })
    expect(stage.take()).toEqual([])
    expect(stage.records.map(({ outcome }) => outcome.kind)).toEqual(['shutdown', 'shutdown', 'shutdown'])
  })
})

describe('a device that continues a reply', () => {
  it('[S60] gets its tokens, and is paused if the client reads slowly', () => {
    const stage = new FrontStage()
    const handle = stage.submit()
    stage.grant(1, { file: FILE })
    stage.say({ type: 'job-delta', ...attempt, sequence: 0, choice: 0, text: '', ids: [1, 2] })
    stage.say({ type: 'job-delta', ...attempt, sequence: 1, choice: 0, text: 'He', tokens: 3, ids: 3 })
    handle.pause()
    lose(stage).take()
    stage.grant(2, CONTINUED)
    const sum = new TextSum()
    sum.add('He')
    const begun = { tokens: [1, 2, 3], length: 2, checksum: sum.checksum, hasCalls: false }
    const [start] = stage.messages
    expect(start?.type === 'start' && JSON.parse(start.request)).toMatchObject({ recovery: { choices: [begun] } })
    stage.accept(2).text(0, 'llo', 2).end(1, 2)
    expect(stage.take().slice(0, 3)).toEqual(['start 2 on d2', 'report 2 accepted', 'tell d2 job-pause'])
    expect(stage.client).toEqual(['He', 'llo', 'recorded', 'end stop'])
  })

  it('[N50] is not asked to start over what the client has: the scheduler hears how things are', () => {
    const stage = new FrontStage()
    stage.submit()
    lose(stage.grant().text(0, 'a')).take()
    stage.grant(2)
    expect(stage.messages).toMatchObject([{ type: 'restate', job: { hasShown: true, edition: 1 } }])
    expect(stage.client).toEqual(['a'])
  })
})

describe('the statement of a job', () => {
  it('says that its attempt is lost until the scheduler has decided', () => {
    const stage = new FrontStage()
    stage.submit()
    stage.grant().text(0, 'a')
    const run = { nextSequence: 1, isLoading: false }
    expect(statementOf(stage)).toMatchObject({ attempt: 1, held: { device: 'd1', isLost: false, run } })
    lose(stage)
    expect(statementOf(stage)).toMatchObject({ attempt: 1, hasShown: true, held: { device: 'd1', isLost: true, run } })
  })

  it('says what became of the attempts before', () => {
    const stage = new FrontStage()
    stage.submit()
    const course = { ...NEW_COURSE, losses: 2, crashes: 1 }
    lose(stage.grant(1, { course }).accept())
    expect(statementOf(stage)).toMatchObject({ course, held: { isLost: true } })
    stage.edition = 1
    stage.grant(2).say({ type: 'job-refuse', job: 'j', attempt: 2, reason: 'busy' })
    expect(statementOf(stage)).toMatchObject({ attempt: 2, held: undefined })
  })

  it('[N50] has ages instead of times', () => {
    const stage = new FrontStage()
    stage.submit()
    stage.pass(500).grant().accept().pass(200)
    expect(statementOf(stage)).toMatchObject({ ageMs: 700, startedMsAgo: 200, held: { run: { acceptedMsAgo: 200 } } })
  })

  it('[N50] makes grants void that were decided before it', () => {
    const stage = new FrontStage()
    stage.submit()
    statementOf(stage)
    stage.take()
    expect(stage.grant().take()).toEqual([])
    stage.edition = 1
    expect(stage.grant().take()).toEqual(['start 1 on d1'])
  })
})
