// A client of the service. It knows what it has to get: all numbers once and in order, and then one end.

import type { Failed, JobHandle, Reply } from '@hearth/chat'
import type { JobRecord, Ticket } from '../../fleet.ts'
import type { SealedReply } from '../../jobs/sealed-reply.ts'
import type { KnownJob } from '../account/known-job.ts'
import type { Gateway } from './simulated-gateway.ts'
import { textOfNumber, writeRequest, type Wish } from './request.ts'
import { Violation } from '../violation.ts'
import type { VirtualClock } from '../virtual-clock.ts'
import type { Account } from '../account/account.ts'
import type { FleetLimits } from '../../roles.ts'

/** Clocks run at slightly different speeds. */
const TOLERANCE = 0.9

interface Surroundings {
  readonly clock: VirtualClock
  readonly limits: FleetLimits
  readonly account: Account | undefined
  readonly isOrderly: boolean
  delivered: number
  ended(client: Client, how: string): void
  say(what: string): void
}

export class Client implements Reply {
  readonly ticket: Ticket
  readonly gateway: Gateway
  readonly #world: Surroundings
  readonly #wish: Wish
  readonly #since: number
  readonly known: KnownJob | undefined
  #handle: JobHandle | undefined
  #next: number
  #isPlaced = false
  #recorded: string | undefined
  #outcome: string | undefined

  constructor(world: Surroundings, gateway: Gateway, ticket: Ticket, wish: Wish) {
    this.#world = world
    this.gateway = gateway
    this.ticket = ticket
    this.#wish = wish
    this.#next = wish.hidden
    this.#since = world.clock.now
    this.known = world.account?.submit(ticket, wish.hidden)
  }

  submit(): void {
    const { ticket, gateway } = this
    const { sealedFor } = ticket
    const job = { text: writeRequest(ticket.model, this.#wish, sealedFor), choices: 1 }
    gateway.process.live(() => {
      this.#handle = sealedFor
        ? gateway.fleet.submitSealed({ ...ticket, sealedFor }, job, this.#sealedReply())
        : gateway.fleet.submit(ticket, job, this)
    })
    if (this.known) this.known.isAdmitted = true
  }

  /** The same client, of a sealed job. */
  #sealedReply(): SealedReply {
    return {
      placed: () => this.placed(),
      sealed: ({ box }) => this.text(0, box),
      keep: () => true,
      restart: () => this.restart(),
      end: ({ box }) => {
        this.#demand(box === 'end', 'ends without its box')
        this.end()
      },
      fail: (outcome) => this.fail(outcome),
    }
  }

  get isOver(): boolean {
    return this.#outcome !== undefined || this.gateway.process.isDead
  }

  leave(): void {
    if (this.isOver) return
    this.known?.allowed.push('cancelled')
    this.gateway.process.live(() => {
      if (this.isOver) return
      this.#handle?.cancel('client-gone')
      this.#demand(this.#recorded === 'cancelled', 'continues although its client left')
      this.#over('cancelled')
    })
  }

  /** There is no memory for more of its reply. */
  runOutOfMemory(): void {
    this.known?.allowed.push('out-of-memory')
    this.#handle?.giveUp('process')
    this.#demand(this.isOver, 'continues although there is no memory for its reply')
  }

  /** The client reads slowly. */
  pause(ms: number): void {
    if (this.isOver) return
    const { process } = this.gateway
    process.live(() => this.#handle?.pause())
    this.#world.clock.after(ms, () => process.live(() => this.#handle?.resume()))
  }

  placed(): void {
    this.#demand(!this.#isPlaced, 'is placed twice')
    this.#isPlaced = true
  }

  text(_choice: number, text: string): void {
    // Nothing is put together here unless something is wrong: this is called more often than anything else.
    if (this.#outcome !== undefined) this.#demand(false, `gets "${text}" after its end`)
    if (text !== textOfNumber(this.#next)) this.#demand(false, `gets "${text}" instead of "${this.#next} "`)
    this.#demand(this.#isPlaced || this.ticket.rerunnable, 'gets something before it is placed')
    this.#next += 1
    this.#world.delivered += 1
    this.#world.account?.delivered(this.ticket.job, text)
  }

  toolCalls(): void {}

  annotations(): void {}

  restart(): void {
    this.#demand(this.ticket.rerunnable, 'starts over although its client has a part of it')
    this.#next = this.#wish.hidden
    this.#world.account?.restarted(this.ticket.job)
  }

  /** Jobs are counted before their clients know. */
  recorded({ outcome }: JobRecord): void {
    this.#demand(this.#recorded === undefined, `ends twice, now as ${outcome.kind}`)
    this.#recorded = outcome.kind
  }

  end(): void {
    const { total, hidden } = this.#wish
    this.#demand(this.#next === Math.max(total, hidden), `ends at ${this.#next} of ${total}`)
    this.#end('ended')
  }

  fail(outcome: Failed): void {
    if (this.#world.account === undefined) this.#checkFailure(outcome)
    this.#end(outcome.kind)
  }

  /** Several gateways: nothing that goes wrong takes as long as the limits. */
  #checkFailure({ kind }: Failed): void {
    this.#demand(kind !== 'timed-out', 'hung on a device')
    this.#demand(!this.#world.isOrderly, `fails: ${kind}`)
    const waitedMs = this.#world.clock.now - this.#since
    const isEarly = kind === 'no-device' && waitedMs < this.#world.limits.waitMs * TOLERANCE
    this.#demand(!isEarly, `was given up after ${waitedMs} ms`)
  }

  #end(how: string): void {
    this.#demand(this.#outcome === undefined, `ends twice, now as ${how}`)
    this.#demand(this.#isPlaced, 'ends before it is placed')
    this.#demand(this.#recorded === how, `ends as ${how}, but is counted as ${this.#recorded}`)
    this.#over(how)
  }

  #over(how: string): void {
    this.#outcome = how
    this.#world.ended(this, how)
  }

  #demand(holds: boolean, what: string): void {
    if (holds) return
    this.#world.say(`${this.ticket.job} ${what}`)
    throw new Violation(`${this.ticket.job} ${what}`)
  }
}
