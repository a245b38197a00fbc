// Tells schedulers which jobs wait here and which slots are taken: a new scheduler when an organization moves, and every
// scheduler again when its link is back.

import type { DeviceHub } from './devices/device-hub.ts'
import type { Jobs } from './jobs/jobs.ts'
import { NO_VIEW } from './peers/core/view.ts'
import type { Peers } from './peers/peers.ts'
import type { Gateways } from './ports/gateways.ts'

export interface RebalanceOptions {
  gateways: Gateways
  peers: Peers
  jobs: Jobs
  hub: DeviceHub
}

export class Rebalance {
  readonly #options: RebalanceOptions
  /** The view that schedulers were last told under. */
  #told = NO_VIEW

  constructor(options: RebalanceOptions) {
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
    // Until it has joined, it knows no scheduler to tell.
    if (view.all.length === 0 || view.generation === before.generation) return
    this.#told = view
    // A scheduler may have lost an organization and got it back in views that this gateway has skipped.
    const isNext = view.generation === before.generation + 1
    this.#sync(view.ids, (one) => !isNext || before.schedulerOf(one) !== view.schedulerOf(one))
  }

  /** The gateway may have missed anything. */
  syncWith(peer: string): void {
    this.#sync([peer], (organization) => this.#options.peers.view.schedulerOf(organization) === peer)
  }

  #sync(to: readonly string[], isWanted: (organization: string) => boolean): void {
    const { jobs, hub, gateways } = this.#options
    const { generation } = this.#told
    for (const id of to) gateways.of(id).schedulers.syncStarted(generation, gateways.self)
    hub.reportAll(isWanted)
    jobs.requestAgain(isWanted)
    for (const id of to) gateways.of(id).schedulers.syncDone(generation, gateways.self)
  }
}
