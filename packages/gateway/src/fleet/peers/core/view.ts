// The peers of one generation, and which of them schedule organizations. Views never change.

import type { PeerRow } from '../../../store/peers.ts'
import { winnerOf } from '../rendezvous.ts'

export type Peer = Pick<PeerRow, 'id' | 'number' | 'version' | 'isIsolated'>

export class View {
  /** Only grows. */
  readonly generation: number
  readonly all: readonly Peer[]
  readonly ids: readonly string[]
  /** Everyone who is not isolated; everyone if all are. */
  readonly schedulers: readonly string[]
  readonly #schedulers = new Map<string, string | undefined>()

  constructor({ generation, rows }: { generation: number; rows: readonly Peer[] }) {
    this.generation = generation
    this.all = rows.map(({ id, number, version, isIsolated }) => ({ id, number, version, isIsolated }))
    this.ids = rows.map(({ id }) => id)
    const heard = rows.filter(({ isIsolated }) => !isIsolated)
    this.schedulers = (heard.length > 0 ? heard : rows).map(({ id }) => id)
  }

  /** Undefined while there are no peers. It may still be waiting for its predecessor. */
  schedulerOf(organization: string): string | undefined {
    if (this.schedulers.length < 2) return this.schedulers[0]
    const known = this.#schedulers.get(organization)
    if (known !== undefined) return known
    const scheduler = winnerOf(organization, this.schedulers)
    this.#schedulers.set(organization, scheduler)
    return scheduler
  }

  /** The numbers of all peers but one. */
  others(number: number): number[] {
    return this.all.map(({ number }) => number).filter((other) => other !== number)
  }
}

export const NO_VIEW = new View({ generation: 0, rows: [] })

/**
 * Which organizations a gateway may schedule, as far as views decide it. A view is settled once all its peers have acknowledged it: then
 * nobody acts under an older one. Whoever schedules an organization in a settled view and in every view that it took up since may schedule it.
 * So a scheduler that stays the scheduler never pauses, and a new one waits until its predecessor has stopped.
 */
export class Rights {
  readonly #self: string
  /** The settled view and those after it; empty before the first one is settled. */
  #views: readonly View[] = []

  constructor(self: string) {
    this.#self = self
  }

  takeUp(view: View): void {
    if (this.#views.length > 0) this.#views = [...this.#views, view]
  }

  settle(view: View): void {
    this.#views = [view]
  }

  drop(): void {
    this.#views = []
  }

  isSettled(view: View): boolean {
    return this.#views.length === 1 && this.#views[0] === view
  }

  include(organization: string): boolean {
    for (const view of this.#views) if (view.schedulerOf(organization) !== this.#self) return false
    return this.#views.length > 0
  }
}
