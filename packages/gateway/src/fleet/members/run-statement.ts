import type { ReplicaStore } from '../../store/store.ts'
import type { Outcome, Statement } from './core/statements.ts'

/** Rejects if the database doesn't answer: then the statement may still take effect. */
export async function runStatement(store: ReplicaStore, statement: Statement): Promise<Outcome> {
  switch (statement.name) {
    case 'join': {
      const { number, snapshot } = await store.joinReplicas(statement)
      return number === undefined ? { name: 'refused', snapshot } : { name: 'joined', number, snapshot }
    }
    case 'renew': {
      const snapshot = await store.renewReplica(statement)
      return snapshot ? { name: 'renewed', snapshot } : { name: 'gone' }
    }
    case 'remove':
      return { name: 'removed', generation: await store.removeReplicas(statement.rows) }
    case 'set-aside':
      return { name: 'set-aside', generation: await store.setAsideReplicas(statement) }
    case 'leave':
      return { name: 'left', generation: await store.leaveReplicas(statement.number) }
    default:
      return statement satisfies never
  }
}
