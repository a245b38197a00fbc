// The way between a gateway and PostgreSQL: queries take time, get lost, or take effect without an answer.

import type { Answer, Query } from '../peers/core/queries.ts'
import type { PeerStore } from '../../store/peers.ts'
import type { Process } from './actors/process.ts'
import type { Database } from './database.ts'
import type { Network } from './network.ts'
import type { Random } from './random.ts'
import type { VirtualClock } from './virtual-clock.ts'

const STOPPED_MS = 100

interface Surroundings {
  readonly clock: VirtualClock
  readonly random: Random
  readonly network: Network
  readonly database: Database
  epochs: number
  /** A promise was settled: what waits for it runs before the next step. */
  hasPromises: boolean
}

export function storeFor(world: Surroundings, name: string, process: Process): PeerStore {
  const run = <Result>(execute: () => Result) => query(world, name, process, execute)
  const ask = <Name extends Answer['name']>(one: Query) =>
    run(() => world.database.run(one) as Extract<Answer, { name: Name }>)
  return {
    joinPeers: async (row) => ask<'joined'>({ name: 'join', ...row }),
    renewPeer: async (renewal) => (await ask<'renewed'>({ name: 'renew', ...renewal })).snapshot,
    removePeers: async (rows) => (await ask<'removed'>({ name: 'remove', rows })).generation,
    setAsidePeers: async (decision) => (await ask<'set-aside'>({ name: 'set-aside', ...decision })).generation,
    leavePeers: async (number) => (await ask<'left'>({ name: 'leave', number })).generation,
    takeLinkEpochs: (count) => run(() => Array.from({ length: count }, () => (world.epochs += 1))),
  }
}

function query<Result>(world: Surroundings, name: string, process: Process, execute: () => Result): Promise<Result> {
  const { clock, random, network } = world
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const answer = (act: () => void) =>
    clock.after(random.between(1, 15), () =>
      process.live(() => {
        act()
        world.hasPromises = true
      }),
    )
  const arrive = () => {
    if (process.isDead) return
    if (network.isDatabaseStopped) return clock.after(STOPPED_MS, arrive)
    if (!network.reachesDatabase(name)) return answer(() => reject(new Error('the database is away')))
    const result = execute()
    if (network.reachesDatabase(name)) answer(() => resolve(result))
  }
  clock.after(random.between(1, 15), arrive)
  return promise
}
