// Tells owners what runs and waits here: each new owner when the members change, and all that a gateway owns when its wire is up again.

import type { Peers } from './peers/peers.ts'
import { winnerOf } from './peers/rendezvous.ts'
import type { Front } from './front/front.ts'
import type { Home } from './home/home.ts'
import type { Message, Statement } from './peer-link/messages.ts'

export interface StatementsOptions {
  peers: Peers
  front: Front
  home: Home
  send: (to: string, message: Message) => void
}

export class Statements {
  readonly #options: StatementsOptions
  /** The view that owners were last told under. */
  #members: readonly string[] = []
  #owners: readonly string[] = []
  #generation = 0

  constructor(options: StatementsOptions) {
    this.#options = options
  }

  /** Those of the last view that are not in this one. A gateway that is no member itself can't tell who is gone. */
  goneMembers(): string[] {
    const members = new Set(this.#options.peers.all.map(({ id }) => id))
    return members.size === 0 ? [] : this.#members.filter((id) => !members.has(id))
  }

  membersChanged(): void {
    const { peers, send } = this.#options
    // While it is no member, it knows no owner to tell.
    if (peers.all.length === 0 || peers.generation === this.#generation) return
    const hasChanged = this.#ownerChanges()
    this.#members = peers.all.map(({ id }) => id)
    this.#owners = peers.schedulers
    this.#generation = peers.generation
    this.#state((organization) => hasChanged(organization))
    for (const id of this.#members) send(id, { type: 'stated', generation: this.#generation, isAll: false })
  }

  /** The gateway may have missed anything. */
  stateTo(replica: string): void {
    const { peers, send } = this.#options
    this.#state((organization) => peers.schedulerOf(organization) === replica)
    send(replica, { type: 'stated', generation: this.#generation, isAll: true })
  }

  // An owner may have lost an organization and got it back in views that this gateway has skipped.
  #ownerChanges(): (organization: string) => boolean {
    const { peers } = this.#options
    const before = this.#owners
    const isNext = peers.generation === this.#generation + 1
    return (organization) => !isNext || winnerOf(organization, before) !== peers.schedulerOf(organization)
  }

  #state(isWanted: (organization: string) => boolean): void {
    const { front, home, peers, send } = this.#options
    const jobs = front.state(isWanted)
    const devices = home.state(isWanted)
    for (const organization of new Set([...jobs.keys(), ...devices.keys()])) {
      const owner = peers.schedulerOf(organization)
      if (owner === undefined) continue
      const statement: Statement = {
        organization,
        jobs: jobs.get(organization) ?? [],
        devices: devices.get(organization) ?? [],
      }
      send(owner, { type: 'statement', generation: this.#generation, statement })
    }
  }
}
