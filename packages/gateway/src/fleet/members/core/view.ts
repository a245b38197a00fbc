// The members of one generation, and who of them may own organizations. Views never change.

import type { Member } from '../membership.ts'
import { winnerOf } from '../rendezvous.ts'
import type { ReplicaSnapshot } from '../../../store/store.ts'

export class View {
  readonly generation: number
  readonly members: readonly Member[]
  /** Everyone who is not set aside; everyone if all are. */
  readonly owners: readonly string[]
  readonly #owners = new Map<string, string | undefined>()

  constructor({ generation, rows }: ReplicaSnapshot) {
    this.generation = generation
    this.members = rows.map(({ id, number, version, isSetAside }) => ({ id, number, version, isSetAside }))
    const heard = rows.filter(({ isSetAside }) => !isSetAside)
    this.owners = (heard.length > 0 ? heard : rows).map(({ id }) => id)
  }

  ownerOf(organization: string): string | undefined {
    const known = this.#owners.get(organization)
    if (known !== undefined) return known
    const owner = winnerOf(organization, this.owners)
    this.#owners.set(organization, owner)
    return owner
  }

  /** The numbers of all members but one. */
  others(number: number): number[] {
    return this.members.map((member) => member.number).filter((other) => other !== number)
  }
}
