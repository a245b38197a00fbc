// Tells schedulers what runs and waits here: new schedulers when the peers change, and every scheduler again when its link is back up.

import type { Peers } from './peers/peers.ts'
import { winnerOf } from './peers/rendezvous.ts'
import type { Front } from './jobs/front.ts'
import type { Home } from './devices/home.ts'
import type { Message, Statement } from './terms/messages.ts'

export interface StatementsOptions {
  peers: Peers
  front: Front
  home: Home
  send: (to: string, message: Message) => void
}

export class Statements {
  readonly #options: StatementsOptions
  /** The view that schedulers were last told under. */
  #peers: readonly string[] = []
  #schedulers: readonly string[] = []
  #generation = 0

  constructor(options: StatementsOptions) {
    this.#options = options
  }

  /** Those of the last view that are not in this one. A gateway that has not joined can't tell who is gone. */
  gonePeers(): string[] {
    const peers = new Set(this.#options.peers.all.map(({ id }) => id))
    return peers.size === 0 ? [] : this.#peers.filter((id) => !peers.has(id))
  }

  peersChanged(): void {
    const { peers, send } = this.#options
    // Until it has joined, it knows no scheduler to tell.
    if (peers.all.length === 0 || peers.generation === this.#generation) return
    const hasChanged = this.#schedulerChanges()
    this.#peers = peers.all.map(({ id }) => id)
    this.#schedulers = peers.schedulers
    this.#generation = peers.generation
    this.#state((organization) => hasChanged(organization))
    for (const id of this.#peers) send(id, { type: 'stated', generation: this.#generation, isAll: false })
  }

  /** The gateway may have missed anything. */
  stateTo(peer: string): void {
    const { peers, send } = this.#options
    this.#state((organization) => peers.schedulerOf(organization) === peer)
    send(peer, { type: 'stated', generation: this.#generation, isAll: true })
  }

  // A scheduler may have lost an organization and got it back in views that this gateway has skipped.
  #schedulerChanges(): (organization: string) => boolean {
    const { peers } = this.#options
    const before = this.#schedulers
    const isNext = peers.generation === this.#generation + 1
    return (organization) => !isNext || winnerOf(organization, before) !== peers.schedulerOf(organization)
  }

  #state(isWanted: (organization: string) => boolean): void {
    const { front, home, peers, send } = this.#options
    const jobs = front.state(isWanted)
    const devices = home.state(isWanted)
    for (const organization of new Set([...jobs.keys(), ...devices.keys()])) {
      const scheduler = peers.schedulerOf(organization)
      if (scheduler === undefined) continue
      const statement: Statement = {
        organization,
        jobs: jobs.get(organization) ?? [],
        devices: devices.get(organization) ?? [],
      }
      send(scheduler, { type: 'statement', generation: this.#generation, statement })
    }
  }
}
