// The peers of one generation, and which of them schedule organizations. Views never change.

import type { Peer } from '../peers.ts'
import { winnerOf } from '../rendezvous.ts'
import type { PeerSnapshot } from '../../../store/peers.ts'

export class View {
  readonly generation: number
  readonly all: readonly Peer[]
  /** Everyone who is not set aside; everyone if all are. */
  readonly schedulers: readonly string[]
  readonly #schedulers = new Map<string, string | undefined>()

  constructor({ generation, rows }: PeerSnapshot) {
    this.generation = generation
    this.all = rows.map(({ id, number, version, isSetAside }) => ({ id, number, version, isSetAside }))
    const heard = rows.filter(({ isSetAside }) => !isSetAside)
    this.schedulers = (heard.length > 0 ? heard : rows).map(({ id }) => id)
  }

  schedulerOf(organization: string): string | undefined {
    const known = this.#schedulers.get(organization)
    if (known !== undefined) return known
    const scheduler = winnerOf(organization, this.schedulers)
    this.#schedulers.set(organization, scheduler)
    return scheduler
  }

  get hasSetAside(): boolean {
    return this.all.some(({ isSetAside }) => isSetAside)
  }

  /** The numbers of all peers but one. */
  others(number: number): number[] {
    return this.all.map(({ number }) => number).filter((other) => other !== number)
  }
}

export const NO_VIEW = new View({ generation: 0, rows: [] })
