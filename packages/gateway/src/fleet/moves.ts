// Tells lessors which jobs wait here and which slots are taken: a new lessor when an organization moves, and every lessor again when its link is back.

import type { Home } from './devices/home.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Peers } from './peers/peers.ts'
import { winnerOf } from './peers/rendezvous.ts'
import type { Message } from './terms/messages.ts'

export interface MovesOptions {
  peers: Peers
  jobs: Jobs
  home: Home
  send: (to: string, message: Message) => void
}

export class Moves {
  readonly #options: MovesOptions
  /** The view that lessors were last told under. */
  #peers: readonly string[] = []
  #lessors: readonly string[] = []
  #generation = 0

  constructor(options: MovesOptions) {
    this.#options = options
  }

  /** Those of the last view that are not in this one. A gateway that has not joined can't tell who is gone. */
  gonePeers(): string[] {
    const peers = new Set(this.#options.peers.all.map(({ id }) => id))
    return peers.size === 0 ? [] : this.#peers.filter((id) => !peers.has(id))
  }

  peersChanged(): void {
    const { peers } = this.#options
    // Until it has joined, it knows no lessor to tell.
    if (peers.all.length === 0 || peers.generation === this.#generation) return
    const hasMoved = this.#moved()
    this.#peers = peers.all.map(({ id }) => id)
    this.#lessors = peers.schedulers
    this.#generation = peers.generation
    this.#state(this.#peers, hasMoved)
  }

  /** The gateway may have missed anything. */
  stateTo(peer: string): void {
    this.#state([peer], (organization) => this.#options.peers.schedulerOf(organization) === peer)
  }

  // A lessor may have lost an organization and got it back in views that this gateway has skipped.
  #moved(): (organization: string) => boolean {
    const { peers } = this.#options
    const before = this.#lessors
    const isNext = peers.generation === this.#generation + 1
    return (organization) => !isNext || winnerOf(organization, before) !== peers.schedulerOf(organization)
  }

  #state(to: readonly string[], isWanted: (organization: string) => boolean): void {
    const { jobs, home, send } = this.#options
    const generation = this.#generation
    for (const id of to) send(id, { type: 'stating', generation })
    home.state(isWanted)
    jobs.askAgain(isWanted)
    for (const id of to) send(id, { type: 'stated', generation })
  }
}
