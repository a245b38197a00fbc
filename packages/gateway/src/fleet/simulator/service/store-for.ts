// PostgreSQL as a gateway knows it: a promise for each query.

import type { PeerStore } from '../../../store/peers.ts'
import type { QueryResult, Query } from '../../peers/core/queries.ts'
import type { Member, Service } from './service.ts'

/** After this, the driver gives up a query that got no answer. */
const GIVE_UP_MS = 1_000

interface Surroundings extends Pick<Service<Member, unknown>, 'clock' | 'query' | 'database'> {
  epochs: number
  /** A promise was settled: what waits for it runs before the next step. */
  hasPromises: boolean
}

export function storeFor(world: Surroundings, gateway: Pick<Member, 'name' | 'process'>): PeerStore {
  const run = <Result>(execute: () => Result) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let isOver = false
    const end = (answer: Result | undefined) => {
      if (isOver) return
      isOver = true
      if (answer === undefined) reject(new Error('the database is away'))
      else resolve(answer)
      world.hasPromises = true
    }
    world.query(gateway, execute, end)
    world.clock.after(GIVE_UP_MS, () => gateway.process.live(() => end(undefined)))
    return promise
  }
  const ask = <Name extends QueryResult['name']>(one: Query) =>
    run(() => world.database.run(one) as Extract<QueryResult, { name: Name }>)
  return {
    joinPeers: async (row) => ask<'joined'>({ name: 'join', ...row }),
    renewPeer: async (renewal) => (await ask<'renewed'>({ name: 'renew', ...renewal })).snapshot,
    removePeers: async (rows) => (await ask<'removed'>({ name: 'remove', rows })).generation,
    isolatePeers: async (decision) => (await ask<'isolated'>({ name: 'isolated', ...decision })).generation,
    leavePeers: async (number) => (await ask<'left'>({ name: 'leave', number })).generation,
    takeLinkEpochs: (count) => run(() => Array.from({ length: count }, () => (world.epochs += 1))),
  }
}
