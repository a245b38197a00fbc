// A submitted job that keeps its events for a test.

import type { ChatJob, FinishReason } from '@hearth/protocol'
import type { Failed, JobHandle, Placement, Reply } from '@hearth/chat'
import type { Fleet, Ticket } from '../fleet/fleet.ts'
import { aTicket } from './job-record.ts'
import { Watchers } from './watchers.ts'

const REQUEST: ChatJob = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
const DEADLINE_MS = 20_000

export class RecordedJob implements Reply {
  /** The text delivered since the last restart. */
  delivered = ''
  restarts = 0
  finishes: readonly FinishReason[] | undefined
  failure: Failed | undefined
  placement: Placement | undefined
  readonly handle: JobHandle
  readonly #watchers = new Watchers()

  constructor(fleet: Fleet, ticket: Partial<Ticket> & { job: string }) {
    this.handle = fleet.submit(
      aTicket(ticket),
      { text: JSON.stringify({ ...REQUEST, model: ticket.model ?? 'm' }), choices: 1 },
      this,
    )
  }

  placed(placement: Placement): void {
    if (this.placement !== undefined) throw new Error('The job was placed twice')
    this.placement = placement
  }

  text(_choice: number, text: string): void {
    this.delivered += text
    this.#watchers.look()
  }

  toolCalls(): void {}

  annotations(): void {}

  restart(): void {
    this.delivered = ''
    this.restarts++
  }

  end(finishes: readonly FinishReason[]): void {
    this.#expectOpen()
    this.finishes = finishes
    this.#watchers.look()
  }

  fail(outcome: Failed): void {
    this.#expectOpen()
    this.failure = outcome
    this.#watchers.look()
  }

  get isOver(): boolean {
    return this.finishes !== undefined || this.failure !== undefined
  }

  async delivers(text: string): Promise<void> {
    await this.#watchers.until(`"${text}" is delivered`, () => this.delivered === text, DEADLINE_MS)
  }

  async ends(): Promise<readonly FinishReason[]> {
    await this.#watchers.until('the job ends', () => this.finishes !== undefined, DEADLINE_MS)
    return this.finishes!
  }

  async fails(): Promise<Failed['kind']> {
    await this.#watchers.until('the job fails', () => this.failure !== undefined, DEADLINE_MS)
    return this.failure!.kind
  }

  #expectOpen(): void {
    if (this.isOver) throw new Error('The job has ended twice')
  }
}
