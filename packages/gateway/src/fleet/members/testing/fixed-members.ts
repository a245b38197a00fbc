// A membership that changes only when a test says so. All gateways of one service share one object, so they always agree.

import { countEpochs } from '../../count-epochs.ts'
import type { Member, Membership } from '../membership.ts'
import { winnerOf } from '../rendezvous.ts'

interface FixedMembers {
  /** The membership as this member sees it. */
  of(id: string): Membership
  /** Replaces the members; the generation grows by one. */
  set(ids: readonly string[]): void
}

export function fixedMembers(ids: readonly string[], nextEpoch = countEpochs()): FixedMembers {
  const listeners = new Set<() => void>()
  let generation = 1
  let members = ids.map(memberOf)

  function set(ids: readonly string[]): void {
    generation += 1
    members = ids.map(memberOf)
    for (const listener of listeners) listener()
  }

  function of(self: string): Membership {
    const isMember = () => members.some(({ id }) => id === self)
    const seen = () => (isMember() ? members : [])
    const ownerOf = (organization: string) =>
      winnerOf(
        organization,
        seen().map(({ id }) => id),
      )
    return {
      self,
      get members() {
        return seen()
      },
      get generation() {
        return isMember() ? generation : 0
      },
      ownerOf,
      mayOwn: (organization) => ownerOf(organization) === self,
      onChange(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      nextEpoch,
      leave: async () => set(members.map(({ id }) => id).filter((id) => id !== self)),
    }
  }
  return { of, set }
}

function memberOf(id: string, index: number): Member {
  return { id, number: index + 1, version: 'test' }
}
