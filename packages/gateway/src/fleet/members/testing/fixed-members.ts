// A membership that changes only when a test says so. All gateways of one service share one object, so they agree, unless some of them hear
// of a change later.

import { countEpochs } from '../../count-epochs.ts'
import type { Member, Membership } from '../membership.ts'
import { winnerOf } from '../rendezvous.ts'

interface FixedMembers {
  /** The membership as this member sees it. */
  of(id: string): Membership
  /** Replaces the members; the generation grows by one. Those that are `late` hear of it with `catchUp`. */
  set(ids: readonly string[], late?: readonly string[]): void
  /** These own nothing from now on; all others do. */
  setAside(ids: readonly string[]): void
  catchUp(): void
}

interface View {
  generation: number
  members: readonly Member[]
}

export function fixedMembers(ids: readonly string[], nextEpoch = countEpochs()): FixedMembers {
  const listeners = new Set<() => void>()
  let view: View = { generation: 1, members: ids.map(memberOf) }
  /** Of those that haven't heard of the newest one. */
  const oldViews = new Map<string, View>()

  function set(ids: readonly string[], late: readonly string[] = []): void {
    for (const id of late) oldViews.set(id, view)
    view = { generation: view.generation + 1, members: ids.map(memberOf) }
    for (const listener of listeners) listener()
  }

  function setAside(ids: readonly string[]): void {
    const members = view.members.map((member) => ({ ...member, isSetAside: ids.includes(member.id) }))
    view = { generation: view.generation + 1, members }
    for (const listener of listeners) listener()
  }

  function catchUp(): void {
    oldViews.clear()
    for (const listener of listeners) listener()
  }

  function of(self: string): Membership {
    const viewNow = () => oldViews.get(self) ?? view
    const isMember = () => viewNow().members.some(({ id }) => id === self)
    const seen = () => (isMember() ? viewNow().members : [])
    const owners = () =>
      seen()
        .filter(({ isSetAside }) => !isSetAside)
        .map(({ id }) => id)
    const ownerOf = (organization: string) => winnerOf(organization, owners())
    return {
      self,
      get members() {
        return seen()
      },
      get owners() {
        return owners()
      },
      get generation() {
        return isMember() ? viewNow().generation : 0
      },
      ownerOf,
      mayOwn: (organization) => ownerOf(organization) === self,
      onChange(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      nextEpoch,
      status: () => ({
        self,
        members: seen().length,
        generation: viewNow().generation,
        isMember: isMember(),
        isSetAside: isMember() && !owners().includes(self),
        hasLease: isMember(),
        isSettled: true,
        isWithoutDatabase: false,
      }),
      leave: async () => set(view.members.map(({ id }) => id).filter((id) => id !== self)),
    }
  }
  return { of, set, setAside, catchUp }
}

function memberOf(id: string, index: number): Member {
  return { id, number: index + 1, version: 'test', isSetAside: false }
}
