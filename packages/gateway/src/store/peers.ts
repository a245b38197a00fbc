// The gateways that form one service. Every change of the set makes a new generation, in the same transaction. Whoever changes the set holds
// the row of the generation, so changes come one after the other. Renewals hold only their own row and wait for nobody else.

import { arrayContains, asc, eq, ne, sql } from 'drizzle-orm'
import type { BusServer } from '../bus/bus.ts'
import type { Bound } from './database/bind-queries.ts'
import type { Database, Handle } from './database/database.ts'
import { onlyRow } from './database/only-row.ts'
import { LINK_EPOCH, peer, peerGeneration } from './tables/peers.ts'

export const peerQueries = { joinPeers, renewPeer, removePeers, isolatePeers, leavePeers, takeLinkEpochs }
export type PeerStore = Bound<typeof peerQueries>

export interface PeerRow {
  /** Never used again. A gateway that was removed while it was away comes back with a higher one. */
  number: number
  /** Chosen at random when the process starts. */
  id: string
  /** Of the messages between gateways, not of the app. All peers have the same one. */
  version: string
  /** The newest generation that it acts under; 0 before its first renewal. */
  acknowledged: number
  /** Grows with every renewal. */
  turn: number
  /** Who vouches for it while the database is away. Empty: nobody, so it then stops when its leadership runs out. */
  peers: readonly number[]
  /** The server over which it hears them. Null if it has none, or can't be sure yet that it hears everything there: then it has no peers. */
  bus: BusServer | null
  /** The gateways it hears on the bus, including itself if its own messages come back to it. */
  hears: readonly number[]
  /** The others don't hear it, so it schedules nothing. Like the set of peers, this changes only with the generation. */
  isIsolated: boolean
}

export type PeerRenewal = Pick<PeerRow, 'number' | 'turn' | 'acknowledged' | 'peers' | 'bus' | 'hears'>

export interface IsolationList {
  generation: number
  numbers: readonly number[]
}

/** Identifies a row together with everything in it. */
export type PeerState = Pick<PeerRow, 'number' | 'turn'>

/** Read in one go, so that the rows are exactly the peers of the generation. */
export interface PeerSnapshot {
  generation: number
  rows: readonly PeerRow[]
}

/** Adds a peer, unless there are peers of another version. */
function joinPeers(
  { transactFleet }: Database,
  { id, version }: { id: string; version: string },
): Promise<{ number?: number; snapshot: PeerSnapshot }> {
  return transactFleet(async (transaction) => {
    const generation = await lockGeneration(transaction)
    const [other] = await transaction.select().from(peer).where(ne(peer.version, version)).limit(1)
    if (other) return { snapshot: { generation, rows: await selectRows(transaction) } }
    const { number } = onlyRow(
      await transaction.insert(peer).values({ id, version }).returning({ number: peer.number }),
    )
    await raiseGeneration(transaction)
    return { number, snapshot: { generation: generation + 1, rows: await selectRows(transaction) } }
  })
}

/** Undefined if the peer was removed. A renewal that comes after one with a higher turn changes nothing. */
function renewPeer(
  { fleet }: Database,
  { number, turn, acknowledged, peers, bus, hears }: PeerRenewal,
): Promise<PeerSnapshot | undefined> {
  return fleet(async (handle) => {
    // One statement, so that the generation and the rows are of the same moment.
    const { rows } = await handle.execute<Renewed>(sql`
      with renewed as (
        update ${peer}
        set turn = ${turn}, acknowledged = ${acknowledged}, peers = ${sql.param([...peers])}::bigint[],
          bus = ${bus && JSON.stringify(bus)}::jsonb, hears = ${sql.param([...hears])}::bigint[]
        where number = ${number} and turn < ${turn}
        returning number
      )
      select
        (select value from ${peerGeneration})::float8 as generation,
        exists (select from renewed) as "isRenewed",
        (select json_agg(replica order by number) from ${peer}) as rows
    `)
    // The rows are those of before the update. Its own result tells whether somebody removed the row at the same moment.
    return rows[0]?.isRenewed ? toSnapshot(rows[0]) : undefined
  })
}

/** Removes those that have not been renewed in the meantime. Returns the generation. */
function removePeers({ transactFleet }: Database, peers: readonly PeerState[]): Promise<number> {
  return transactFleet(async (transaction) => {
    const generation = await lockGeneration(transaction)
    const numbers = sql.param(peers.map(({ number }) => number))
    const turns = sql.param(peers.map(({ turn }) => turn))
    const isUnchanged = sql`(${peer.number}, ${peer.turn}) in (select * from unnest(${numbers}::bigint[], ${turns}::bigint[]))`
    const removed = await transaction.delete(peer).where(isUnchanged).returning({ number: peer.number })
    return removed.length > 0 ? raiseGeneration(transaction) : generation
  })
}

/** Sets these aside and nobody else, unless the generation has changed in the meantime. Returns the generation. */
function isolatePeers({ transactFleet }: Database, { generation, numbers }: IsolationList): Promise<number> {
  return transactFleet(async (transaction) => {
    const current = await lockGeneration(transaction)
    if (current !== generation) return current
    const isUnheard = sql`${peer.number} = any(${sql.param([...numbers])}::bigint[])`
    await transaction
      .update(peer)
      .set({ isIsolated: isUnheard })
      .where(sql`${peer.isIsolated} <> (${isUnheard})`)
    return raiseGeneration(transaction)
  })
}

/** Removes it, and empties the peers of everyone who counts on it. Returns the generation. */
function leavePeers({ transactFleet }: Database, number: number): Promise<number> {
  return transactFleet(async (transaction) => {
    await lockGeneration(transaction)
    await transaction.delete(peer).where(eq(peer.number, number))
    await transaction
      .update(peer)
      .set({ peers: [] })
      .where(arrayContains(peer.peers, [number]))
    return raiseGeneration(transaction)
  })
}

/** Takes numbers for links. They are higher than all that were taken before. */
async function takeLinkEpochs({ query }: Database, count: number): Promise<number[]> {
  const { rows } = await query.execute<{ epoch: string }>(
    sql`select nextval(${LINK_EPOCH}) as epoch from generate_series(1, ${count})`,
  )
  return rows.map(({ epoch }) => Number(epoch))
}

interface Renewed extends Record<string, unknown> {
  generation: number
  isRenewed: boolean
  /** With the names of the columns. */
  rows: (Omit<PeerRow, 'isIsolated'> & { is_set_aside: boolean })[]
}

function toSnapshot({ generation, rows }: Renewed): PeerSnapshot {
  return { generation, rows: rows.map(({ is_set_aside: isIsolated, ...row }) => ({ ...row, isIsolated })) }
}

async function lockGeneration(transaction: Handle): Promise<number> {
  return onlyRow(await transaction.select().from(peerGeneration).for('update')).value
}

async function raiseGeneration(transaction: Handle): Promise<number> {
  const value = sql`${peerGeneration.value} + 1`
  return onlyRow(await transaction.update(peerGeneration).set({ value }).returning()).value
}

function selectRows(transaction: Handle): Promise<PeerRow[]> {
  return transaction.select().from(peer).orderBy(asc(peer.number))
}
