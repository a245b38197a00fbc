// A front for tests: grants and frames in, what clients get and what others hear as short strings, and a clock that the test moves.

import type { Failed, JobHandle, Reply } from '@hearth/chat'
import type { JobFrame } from '../terms/job-frame.ts'
import { Front } from '../jobs/front.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import { NEW_COURSE, type Ticket } from '../terms/job.ts'
import type { Grant, Message } from '../terms/messages.ts'

export const FILE = { digest: 'f', contextLength: 100 }

/** How often the scheduler hears that a device still works on a job. */
const SIGN_MS = 1_000

export class FrontStage {
  readonly front: Front
  readonly records: JobRecord[] = []
  /** Everything the client got, in order. */
  readonly client: string[] = []
  readonly messages: Message[] = []
  now = 1_000
  edition = 0

  constructor() {
    this.front = new Front({
      waitMs: 60_000,
      signMs: SIGN_MS,
      now: () => this.now,
      send: (_to, message) => this.messages.push(message),
      isReachable: () => true,
      schedulerOf: () => 'scheduler',
      onRecord: (record) => {
        this.records.push(record)
        this.client.push('recorded')
      },
    })
  }

  submit(fields: Partial<Ticket> = {}, choices = 1): JobHandle {
    const ticket = { job: 'j', organization: 'o', key: 'k', model: 'm', features: [], rerunnable: false, cost: 1 }
    const request = { text: JSON.stringify({ model: 'm', messages: [] }), choices }
    return this.front.submit({ ...ticket, promptSize: 40, prefixes: [], ...fields }, request, {
      kind: 'plain',
      reply: this.#reply(),
    })
  }

  /** The same as a sealed job. Without room, none of its boxes can be kept. */
  submitSealed({ rerunnable = false, hasRoom = true }: { rerunnable?: boolean; hasRoom?: boolean }): JobHandle {
    const ticket = { job: 'j', organization: 'o', key: 'k', model: 'm', features: ['sealed' as const], rerunnable }
    const rest = { sealedFor: ['d1', 'd2', 'd3'], cost: 1, promptSize: 40, prefixes: [] }
    const got = (what: string) => void this.client.push(what)
    return this.front.submit(
      { ...ticket, ...rest },
      { text: '{"sealed":{}}', choices: 1 },
      {
        kind: 'sealed',
        reply: {
          placed: () => {},
          sealed: ({ attempt, sequence, box }) => got(`${attempt}/${sequence} ${box}`),
          keep: () => hasRoom,
          restart: () => got('restart'),
          end: ({ attempt, sequence, box }) => got(`end ${attempt}/${sequence} ${box}`),
          fail: ({ kind }, error) => got(error ? `fail ${kind} ${error.attempt} ${error.box}` : `fail ${kind}`),
        },
      },
    )
  }

  /** The scheduler lets device `d1` have the first attempt, `d2` the second, and so on. */
  grant(attempt = 1, fields: Partial<Grant> = {}, job = 'j'): this {
    const to = { device: `d${attempt}`, epoch: 1, job, attempt }
    const rest = { organization: 'o', home: 'home', file: undefined, isSecond: false, course: NEW_COURSE }
    this.front.grant({ to, ...rest, expectedMs: undefined, edition: this.edition, ...fields })
    return this
  }

  /** The scheduler ends the job, because of this attempt if it names one. */
  finish(outcome: Failed, attempt?: number, job = 'j'): this {
    this.front.finish({ type: 'finish', organization: 'o', job, outcome, attempt })
    return this
  }

  say(...frames: readonly JobFrame[]): this {
    for (const frame of frames) this.front.frame(frame)
    return this
  }

  accept(attempt = 1): this {
    return this.say({ type: 'job-accept', job: 'j', attempt })
  }

  text(sequence: number, text: string, attempt = 1): this {
    return this.say({ type: 'job-delta', job: 'j', attempt, sequence, choice: 0, text })
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
  if (message.type === 'start') return `start ${message.of.attempt} on ${message.of.device}`
  if (message.type === 'tell') return `tell ${message.of.device} ${message.frame.type}`
  if (message.type === 'report') return `report ${message.from.attempt} ${message.report.kind}`
  return message.type
}
