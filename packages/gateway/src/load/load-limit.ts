// Limits how many chat requests are in progress once there are too many for one process, so that those that run keep their pace. Too many
// means that turns of the event loop are long, and long because of the gateway's own work: a token waits for up to two turns. There is no
// limit before that, because nobody knows in advance how much a request will cost.
//
// While shedding, the limit starts at the number of requests at which turns got too long. It falls a little below the requests in progress
// for as long as they are, so that those that end are not replaced; it stays where turns are long but bearable, and grows slowly once they
// have been short for a while. So the gateway keeps as much as it can carry, and a crowd that comes back doesn't get in all at once.

import { PassingMap } from '@hearth/chat'
import type { LoopTurns } from './loop-meter.ts'

/** Both limits have to be exceeded: where other programs take the processor, turns are long, but not because of requests. */
export const LONG_TURN = { turnMs: 25, turnCpuMs: 10 }
const SHORT_TURN_MS = 15
/** This many requests are never too many. */
export const ALWAYS_ALLOWED = 100
/** One long turn can be a garbage collection. */
const LOOKS_TO_SHED = 3
/** Looks without long turns or rejected requests after which shedding stops. */
const LOOKS_TO_STOP = 50
const GROWTH = 1.02
/** A busy loop has short turns between long ones. */
const LOOKS_TO_GROW = 5
/** Per look with long turns. */
const SHRINKAGE = 0.99
/** Of the requests in progress. Streams take long to end: the limit waits for them, or it would fall to nothing meanwhile. */
const LEAST_SHARE = 0.9
/** An organization that has less than its share may exceed the limit, up to here. */
const STRETCH = 1.25

type State =
  | { name: 'open'; longLooks: number }
  | { name: 'shedding'; limit: number; quietLooks: number; shortLooks: number }

/** A time of shedding. */
export interface Episode {
  /** Requests in progress at its start. */
  requests: number
  /** Requests rejected so far. */
  rejected: number
}

export interface LoadLimitOptions {
  onRejected: () => void
  onShedding: (episode: Episode) => void
  onRecovered: (episode: Episode) => void
}

export class LoadLimit {
  readonly #options: LoadLimitOptions
  readonly #byOrganization = new PassingMap<number>()
  #state: State = { name: 'open', longLooks: 0 }
  #episode: Episode = { requests: 0, rejected: 0 }
  #requests = 0

  constructor(options: LoadLimitOptions) {
    this.#options = options
  }

  get isShedding(): boolean {
    return this.#state.name === 'shedding'
  }

  /** When a rejected client should try again. Clients that were rejected together don't come back together. */
  get retryMs(): number {
    return 2_000 + (this.#episode.rejected % 4) * 1_000
  }

  /** Whether a request of the organization may start. Call `leave` when it is over. */
  enter(organization: string): boolean {
    const own = this.#byOrganization.get(organization) ?? 0
    if (this.#state.name === 'shedding' && this.#isFull(this.#state.limit, own)) return this.#reject(this.#state)
    this.#byOrganization.set(organization, own + 1)
    this.#requests++
    return true
  }

  leave(organization: string): void {
    const own = (this.#byOrganization.get(organization) ?? 0) - 1
    if (own <= 0) this.#byOrganization.delete(organization)
    else this.#byOrganization.set(organization, own)
    this.#requests--
  }

  /** To be called ten times a second. */
  look(turns: LoopTurns): void {
    const isLong = turns.turnMs > LONG_TURN.turnMs && turns.turnCpuMs > LONG_TURN.turnCpuMs
    if (this.#state.name === 'open') this.#lookOpen(this.#state, isLong)
    else this.#lookShedding(this.#state, isLong, turns.turnMs < SHORT_TURN_MS)
  }

  #lookOpen(state: Extract<State, { name: 'open' }>, isLong: boolean): void {
    state.longLooks = isLong && this.#requests > ALWAYS_ALLOWED ? state.longLooks + 1 : 0
    if (state.longLooks < LOOKS_TO_SHED) return
    this.#state = { name: 'shedding', limit: this.#requests, quietLooks: 0, shortLooks: 0 }
    this.#episode = { requests: this.#requests, rejected: 0 }
    this.#options.onShedding(this.#episode)
  }

  #lookShedding(state: Extract<State, { name: 'shedding' }>, isLong: boolean, isShort: boolean): void {
    state.shortLooks = isShort ? state.shortLooks + 1 : 0
    if (isLong) state.limit = this.#shrunk(state.limit)
    if (state.shortLooks > LOOKS_TO_GROW) state.limit *= GROWTH
    state.quietLooks = isLong ? 0 : state.quietLooks + 1
    if (state.quietLooks < LOOKS_TO_STOP) return
    this.#state = { name: 'open', longLooks: 0 }
    this.#options.onRecovered(this.#episode)
  }

  #shrunk(limit: number): number {
    const least = Math.max(ALWAYS_ALLOWED, LEAST_SHARE * this.#requests)
    return Math.max(least, SHRINKAGE * Math.min(limit, this.#requests))
  }

  #isFull(limit: number, own: number): boolean {
    if (this.#requests < limit) return false
    const organizations = this.#byOrganization.size + (own === 0 ? 1 : 0)
    return own >= limit / organizations || this.#requests >= limit * STRETCH
  }

  #reject(state: Extract<State, { name: 'shedding' }>): false {
    state.quietLooks = 0
    this.#episode.rejected++
    this.#options.onRejected()
    return false
  }
}
