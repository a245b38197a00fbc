// The queries about peers that a gateway sends to the database, and their answers.

import type { PeerRenewal, PeerSnapshot, PeerState, PeerStore, IsolationList } from '../../../store/peers.ts'

export type Query =
  | { name: 'join'; id: string; version: string }
  | ({ name: 'renew' } & PeerRenewal)
  | { name: 'remove'; rows: readonly PeerState[] }
  | ({ name: 'isolated' } & IsolationList)
  | { name: 'leave'; number: number }

export type QueryResult =
  | { name: 'joined'; number: number; snapshot: PeerSnapshot }
  /** Peers with another version are there. */
  | { name: 'refused'; snapshot: PeerSnapshot }
  | { name: 'renewed'; snapshot: PeerSnapshot }
  /** The row was removed. */
  | { name: 'gone' }
  /** Rows that were renewed in the meantime are still there. */
  | { name: 'removed'; generation: number }
  /** Also the answer if the generation had changed. */
  | { name: 'isolated'; generation: number }
  | { name: 'left'; generation: number }
  /** The query may still take effect later. */
  | { name: 'failed' }

/** Rejects if the database doesn't answer: then the query may still take effect. */
export async function runQuery(store: PeerStore, query: Query): Promise<QueryResult> {
  switch (query.name) {
    case 'join': {
      const { number, snapshot } = await store.joinPeers(query)
      return number === undefined ? { name: 'refused', snapshot } : { name: 'joined', number, snapshot }
    }
    case 'renew': {
      const snapshot = await store.renewPeer(query)
      return snapshot ? { name: 'renewed', snapshot } : { name: 'gone' }
    }
    case 'remove':
      return { name: 'removed', generation: await store.removePeers(query.rows) }
    case 'isolated':
      return { name: 'isolated', generation: await store.isolatePeers(query) }
    case 'leave':
      return { name: 'left', generation: await store.leavePeers(query.number) }
    default:
      return query satisfies never
  }
}
