// Tells lessors which jobs wait here and which slots are taken: a new lessor when an organization moves, and every lessor again when its link is back.

import type { Home } from './devices/home.ts'
import type { Jobs } from './jobs/jobs.ts'
import { NO_VIEW } from './peers/core/view.ts'
import type { Peers } from './peers/peers.ts'
import type { Post } from './terms/messages.ts'

export interface MovesOptions extends Pick<Post, 'send'> {
  peers: Peers
  jobs: Jobs
  home: Home
}

export class Moves {
  readonly #options: MovesOptions
  /** The view that lessors were last told under. */
  #told = NO_VIEW

  constructor(options: MovesOptions) {
    this.#options = options
  }

  /** Those of the last view that are not in this one. A gateway that has not joined can't tell who is gone. */
  gonePeers(): string[] {
    const { ids } = this.#options.peers.view
    return ids.length === 0 ? [] : this.#told.ids.filter((id) => !ids.includes(id))
  }

  peersChanged(): void {
    const before = this.#told
    const { view } = this.#options.peers
    // Until it has joined, it knows no lessor to tell.
    if (view.all.length === 0 || view.generation === before.generation) return
    this.#told = view
    // A lessor may have lost an organization and got it back in views that this gateway has skipped.
    const isNext = view.generation === before.generation + 1
    this.#state(view.ids, (one) => !isNext || before.schedulerOf(one) !== view.schedulerOf(one))
  }

  /** The gateway may have missed anything. */
  stateTo(peer: string): void {
    this.#state([peer], (organization) => this.#options.peers.view.schedulerOf(organization) === peer)
  }

  #state(to: readonly string[], isWanted: (organization: string) => boolean): void {
    const { jobs, home, send } = this.#options
    const { generation } = this.#told
    for (const id of to) send(id, { type: 'stating', generation })
    home.state(isWanted)
    jobs.askAgain(isWanted)
    for (const id of to) send(id, { type: 'stated', generation })
  }
}
