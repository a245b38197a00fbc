import type { PeerStore } from '../../store/peers.ts'
import type { Answer, Query } from './core/queries.ts'

/** Rejects if the database doesn't answer: then the query may still take effect. */
export async function runQuery(store: PeerStore, query: Query): Promise<Answer> {
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
    case 'set-aside':
      return { name: 'set-aside', generation: await store.setAsidePeers(query) }
    case 'leave':
      return { name: 'left', generation: await store.leavePeers(query.number) }
    default:
      return query satisfies never
  }
}
