// The jobs of a gateway for tests: leases and frames in, what clients get and what others hear as short strings, and a clock that the test moves.

import type { JobHandle, Reply } from '@hearth/chat'
import type { JobDelta, JobError } from '@hearth/protocol'
import type { JobFrame } from '../terms/job-frame.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import { Jobs, type JobsOptions } from '../jobs/jobs.ts'
import { JOB_LIMITS } from '../jobs/limits.ts'
import type { SealedReply } from '../jobs/sealed-reply.ts'
import type { Lease, Ticket } from '../terms/job.ts'
import type { Declined, Message } from '../terms/messages.ts'
import { recordedGateways } from './recorded-gateways.ts'

export const FILE = { digest: 'f', contextLength: 100 }
/** A lease on a device that continues the reply. */
export const CONTINUED = { file: FILE, isContinued: true }

const PLAIN = { features: [], rerunnable: false, cost: 1, promptSize: 40, prefixes: [] }
const TICKET: Ticket = { job: 'j', organization: 'o', key: 'k', model: 'm', ...PLAIN }

export class JobStage {
  readonly jobs: Jobs
  readonly records: JobRecord[] = []
  /** Everything the client got, in order. */
  readonly client: string[] = []
  readonly messages: Message[] = []
  /** The gateway that got the last message; not if it was for the scheduler of the moment. */
  lastTold = ''
  now = 1_000

  constructor(whenRecorded?: JobsOptions['whenRecorded']) {
    this.jobs = new Jobs({
      limits: JOB_LIMITS,
      // The test looks at the time.
      clock: { now: () => this.now, after: () => () => {} },
      gateways: recordedGateways((message, to) => {
        this.lastTold = to ?? this.lastTold
        this.messages.push(message)
      }),
      onRecord: (record) => {
        this.records.push(record)
        this.client.push('recorded')
      },
      whenRecorded,
    })
  }

  /** With a job that waits for a slot. */
  static waiting(fields?: Partial<Ticket>, choices?: number): JobStage {
    const stage = new JobStage()
    stage.submit(fields, choices)
    return stage
  }

  /** With a job that a device has accepted. */
  static running(fields?: Partial<Ticket>, choices?: number): JobStage {
    return JobStage.waiting(fields, choices).lease().accept()
  }

  submit(fields: Partial<Ticket> = {}, choices = 1): JobHandle {
    const request = { text: JSON.stringify({ model: 'm', messages: [] }), choices }
    return this.jobs.submit({ ...TICKET, ...fields }, request, { kind: 'plain', reply: this.#reply() })
  }

  /** The same as a sealed job. Without room, none of its boxes can be kept. */
  submitSealed({ rerunnable = false, hasRoom = true }: { rerunnable?: boolean; hasRoom?: boolean }): JobHandle {
    const ticket: Ticket = { ...TICKET, features: ['sealed'], rerunnable, sealedFor: ['d1', 'd2', 'd3'] }
    const got = (what: string) => void this.client.push(what)
    const reply: SealedReply = {
      placed: () => {},
      sealed: ({ attempt, sequence, box }) => got(`${attempt}/${sequence} ${box}`),
      keep: () => hasRoom,
      restart: () => got('restart'),
      end: ({ attempt, sequence, box }) => got(`end ${attempt}/${sequence} ${box}`),
      fail: ({ kind }, error) => got(error ? `fail ${kind} ${error.attempt} ${error.box}` : `fail ${kind}`),
    }
    return this.jobs.submit(ticket, { text: '{"sealed":{}}', choices: 1 }, { kind: 'sealed', reply })
  }

  /** Device `d1` gets the first attempt, `d2` the second, and so on. */
  lease(attempt = 1, fields: Partial<Lease> = {}, job = 'j'): this {
    const to = { device: `d${attempt}`, epoch: 1, edition: 1, hub: 'hub', lease: attempt, job, want: 'slot' as const }
    const rest = { file: undefined, isContinued: false, isLate: false, waitMs: undefined, expectedMs: undefined }
    this.jobs.lease('o', { ...to, ...rest, ...fields }, 'scheduler')
    return this
  }

  /** There is no slot for the job. */
  decline(outcome: Declined, job = 'j'): this {
    this.jobs.decline('o', job, outcome, 'scheduler')
    return this
  }

  say(...frames: readonly JobFrame[]): this {
    for (const frame of frames) this.jobs.frame(frame)
    return this
  }

  accept(attempt = 1): this {
    return this.say({ type: 'job-accept', job: 'j', attempt })
  }

  text(sequence: number, text: string, attempt = 1, more: Partial<JobDelta> = {}): this {
    return this.say({ type: 'job-delta', job: 'j', attempt, sequence, choice: 0, text, ...more })
  }

  /** The device says that the attempt has failed. */
  fail(attempt = 1, more: Partial<JobError> = {}): this {
    const failure = { code: 'failed', message: '', retryable: true, crashed: false } as const
    return this.say({ type: 'job-error', job: 'j', attempt, ...failure, ...more })
  }

  end(sequence: number, attempt = 1): this {
    return this.say({ type: 'job-end', job: 'j', attempt, sequence, finishes: ['stop'] })
  }

  box(sequence: number, box: string, attempt = 1): this {
    return this.say({ type: 'job-sealed', job: 'j', attempt, sequence, box })
  }

  boxedEnd(sequence: number, box: string, attempt = 1): this {
    return this.say({ type: 'job-end', job: 'j', attempt, sequence, finishes: ['stop'], box })
  }

  /** The request of the latest attempt. */
  lastRequest(): unknown {
    const start = this.messages.findLast((message) => message.type === 'start')
    return JSON.parse(start?.request ?? 'null')
  }

  pass(ms: number): this {
    this.now += ms
    return this
  }

  /** The same, and every deadline on the way is noticed. */
  wait(ms: number): this {
    const until = this.now + ms
    for (let next = this.jobs.nextDeadline; next !== undefined && next <= until; next = this.jobs.nextDeadline) {
      this.now = Math.max(this.now, next)
      this.jobs.tick()
    }
    this.now = until
    return this
  }

  /** The messages that others got since the last call. */
  take(): string[] {
    return this.messages.splice(0).map(describeMessage)
  }

  #reply(): Reply {
    const got = (what: string) => void this.client.push(what)
    return {
      placed: () => {},
      text: (choice, text) => got(choice === 0 ? text : `${choice}: ${text}`),
      toolCalls: (_choice, calls) => got(calls.map(({ name }) => name).join(' ')),
      annotations: (_choice, annotations) => got(annotations.map(({ url }) => url).join(' ')),
      restart: () => got('restart'),
      end: (finishes) => got(`end ${finishes.join(' ')}`),
      fail: ({ kind }) => got(`fail ${kind}`),
    }
  }
}

function describeMessage(message: Message): string {
  if (message.type === 'start') return `start ${message.start.attempt} on ${message.start.device}`
  if (message.type === 'order') return `order ${message.device} ${message.frame.type}`
  if (message.type === 'slot-request') return `request ${message.request.want}`
  if (message.type === 'accepted') return `${message.device} accepted`
  if (message.type === 'late') return `${message.leases.map(({ device }) => device).join()} late`
  if (message.type !== 'settled') return message.type
  return `${message.device} ${message.settlement.kind}${message.again ? ', again' : ''}`
}
