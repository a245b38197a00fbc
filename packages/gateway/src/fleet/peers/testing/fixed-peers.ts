// Peers that change only when a test says so. All gateways of one service share one object, so they agree, unless some of them hear
// of a change later.

import { NO_VIEW, View, type Peer } from '../core/view.ts'
import type { Peers } from '../peers.ts'

interface FixedPeers {
  /** The peers as this one sees them. */
  of(id: string): Peers
  /** Replaces the peers; the generation grows by one. Those that are `late` hear of it with `catchUp`. */
  set(ids: readonly string[], late?: readonly string[]): void
  /** These schedule nothing from now on; all others do. */
  isolated(ids: readonly string[]): void
  catchUp(): void
}

export function fixedPeers(ids: readonly string[], nextEpoch = countEpochs()): FixedPeers {
  const listeners = new Set<() => void>()
  let view = new View({ generation: 1, rows: ids.map(peerOf) })
  /** Of those that haven't heard of the newest one. */
  const oldViews = new Map<string, View>()

  function set(ids: readonly string[], late: readonly string[] = []): void {
    for (const id of late) oldViews.set(id, view)
    change(ids.map(peerOf))
  }

  function isolated(ids: readonly string[]): void {
    change(view.all.map((peer) => ({ ...peer, isIsolated: ids.includes(peer.id) })))
  }

  function change(rows: readonly Peer[]): void {
    view = new View({ generation: view.generation + 1, rows })
    for (const listener of listeners) listener()
  }

  function catchUp(): void {
    oldViews.clear()
    for (const listener of listeners) listener()
  }

  function of(self: string): Peers {
    const viewNow = () => oldViews.get(self) ?? view
    const hasJoined = () => viewNow().ids.includes(self)
    const seen = () => (hasJoined() ? viewNow() : NO_VIEW)
    return {
      self,
      get view() {
        return seen()
      },
      maySchedule: (organization) => seen().schedulerOf(organization) === self,
      onChange(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      nextEpoch,
      status: () => ({ hasLeadership: hasJoined(), isSettled: true, isWithoutDatabase: false }),
      leave: async () => set(view.ids.filter((id) => id !== self)),
    }
  }
  return { of, set, isolated, catchUp }
}

function peerOf(id: string, index: number): Peer {
  return { id, number: index + 1, version: 'test', isIsolated: false }
}

function countEpochs(): () => Promise<number> {
  let epoch = 0
  return async () => (epoch += 1)
}
