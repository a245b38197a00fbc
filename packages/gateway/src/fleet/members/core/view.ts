// The members of one generation. Views never change.

import type { Member } from '../membership.ts'
import { winnerOf } from '../rendezvous.ts'
import type { ReplicaSnapshot } from '../../../store/store.ts'

export class View {
  readonly generation: number
  readonly members: readonly Member[]
  readonly #ids: readonly string[]
  readonly #owners = new Map<string, string | undefined>()

  constructor({ generation, rows }: ReplicaSnapshot) {
    this.generation = generation
    this.members = rows.map(({ id, number, version }) => ({ id, number, version }))
    this.#ids = rows.map(({ id }) => id)
  }

  ownerOf(organization: string): string | undefined {
    const known = this.#owners.get(organization)
    if (known !== undefined) return known
    const owner = winnerOf(organization, this.#ids)
    this.#owners.set(organization, owner)
    return owner
  }

  /** The numbers of all members but one. */
  others(number: number): number[] {
    return this.members.map((member) => member.number).filter((other) => other !== number)
  }
}
