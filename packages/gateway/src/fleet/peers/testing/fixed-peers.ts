// Peers that change only when a test says so. All gateways of one service share one object, so they agree, unless some of them hear
// of a change later.

import type { Peer, Peers } from '../peers.ts'
import { winnerOf } from '../rendezvous.ts'

interface FixedPeers {
  /** The peers as this one sees them. */
  of(id: string): Peers
  /** Replaces the peers; the generation grows by one. Those that are `late` hear of it with `catchUp`. */
  set(ids: readonly string[], late?: readonly string[]): void
  /** These schedule nothing from now on; all others do. */
  setAside(ids: readonly string[]): void
  catchUp(): void
}

interface View {
  generation: number
  all: readonly Peer[]
}

export function fixedPeers(ids: readonly string[], nextEpoch = countEpochs()): FixedPeers {
  const listeners = new Set<() => void>()
  let view: View = { generation: 1, all: ids.map(peerOf) }
  /** Of those that haven't heard of the newest one. */
  const oldViews = new Map<string, View>()

  function set(ids: readonly string[], late: readonly string[] = []): void {
    for (const id of late) oldViews.set(id, view)
    view = { generation: view.generation + 1, all: ids.map(peerOf) }
    for (const listener of listeners) listener()
  }

  function setAside(ids: readonly string[]): void {
    const all = view.all.map((peer) => ({ ...peer, isSetAside: ids.includes(peer.id) }))
    view = { generation: view.generation + 1, all }
    for (const listener of listeners) listener()
  }

  function catchUp(): void {
    oldViews.clear()
    for (const listener of listeners) listener()
  }

  function of(self: string): Peers {
    const viewNow = () => oldViews.get(self) ?? view
    const hasJoined = () => viewNow().all.some(({ id }) => id === self)
    const seen = () => (hasJoined() ? viewNow().all : [])
    const schedulers = () =>
      seen()
        .filter(({ isSetAside }) => !isSetAside)
        .map(({ id }) => id)
    const schedulerOf = (organization: string) => winnerOf(organization, schedulers())
    return {
      self,
      get all() {
        return seen()
      },
      get schedulers() {
        return schedulers()
      },
      get generation() {
        return hasJoined() ? viewNow().generation : 0
      },
      schedulerOf,
      maySchedule: (organization) => schedulerOf(organization) === self,
      onChange(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      nextEpoch,
      status: () => ({
        self,
        count: seen().length,
        generation: viewNow().generation,
        hasJoined: hasJoined(),
        isSetAside: hasJoined() && !schedulers().includes(self),
        hasMandate: hasJoined(),
        isSettled: true,
        isWithoutDatabase: false,
      }),
      leave: async () => set(view.all.map(({ id }) => id).filter((id) => id !== self)),
    }
  }
  return { of, set, setAside, catchUp }
}

function peerOf(id: string, index: number): Peer {
  return { id, number: index + 1, version: 'test', isSetAside: false }
}

function countEpochs(): () => Promise<number> {
  let epoch = 0
  return async () => (epoch += 1)
}
