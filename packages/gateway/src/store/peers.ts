// The gateways that form one service. Whoever changes the set holds the row of the generation, so changes come one after the other.
// Renewals hold only their own row and wait for nobody else.

import { arrayContains, asc, eq, ne, sql } from 'drizzle-orm'
import type { Database, Handle } from './database.ts'
import type { PeerRow, PeerSnapshot, PeerStore } from './store.ts'
import { linkEpoch, peer, peerGeneration } from './tables.ts'

export function peerQueries({ query, fleet, transactFleet }: Database): PeerStore {
  return {
    joinPeers({ id, version }) {
      return transactFleet(async (transaction) => {
        const generation = await holdGeneration(transaction)
        const [other] = await transaction.select().from(peer).where(ne(peer.version, version)).limit(1)
        if (other) return { snapshot: { generation, rows: await selectRows(transaction) } }
        const [{ number } = { number: 0 }] = await transaction
          .insert(peer)
          .values({ id, version })
          .returning({ number: peer.number })
        await raiseGeneration(transaction)
        return { number, snapshot: { generation: generation + 1, rows: await selectRows(transaction) } }
      })
    },

    // One statement, so that the generation and the rows are of the same moment.
    renewPeer: ({ number, turn, acknowledged, peers, bus, hears }) =>
      fleet(async (handle) => {
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
      }),

    removePeers(peers) {
      return transactFleet(async (transaction) => {
        const generation = await holdGeneration(transaction)
        const numbers = sql.param(peers.map(({ number }) => number))
        const turns = sql.param(peers.map(({ turn }) => turn))
        const isUnchanged = sql`(${peer.number}, ${peer.turn}) in (select * from unnest(${numbers}::bigint[], ${turns}::bigint[]))`
        const removed = await transaction.delete(peer).where(isUnchanged).returning({ number: peer.number })
        return removed.length > 0 ? raiseGeneration(transaction) : generation
      })
    },

    setAsidePeers({ generation, numbers }) {
      return transactFleet(async (transaction) => {
        const current = await holdGeneration(transaction)
        if (current !== generation) return current
        const isUnheard = sql`${peer.number} = any(${sql.param([...numbers])}::bigint[])`
        await transaction
          .update(peer)
          .set({ isSetAside: isUnheard })
          .where(sql`${peer.isSetAside} <> (${isUnheard})`)
        return raiseGeneration(transaction)
      })
    },

    leavePeers(number) {
      return transactFleet(async (transaction) => {
        await holdGeneration(transaction)
        await transaction.delete(peer).where(eq(peer.number, number))
        await transaction
          .update(peer)
          .set({ peers: [] })
          .where(arrayContains(peer.peers, [number]))
        return raiseGeneration(transaction)
      })
    },

    async takeLinkEpochs(count) {
      const { rows } = await query.execute<{ epoch: string }>(
        sql`select nextval(${linkEpoch.seqName!}) as epoch from generate_series(1, ${count})`,
      )
      return rows.map(({ epoch }) => Number(epoch))
    },
  }
}

interface Renewed extends Record<string, unknown> {
  generation: number
  isRenewed: boolean
  /** With the names of the columns. */
  rows: (Omit<PeerRow, 'isSetAside'> & { is_set_aside: boolean })[]
}

function toSnapshot({ generation, rows }: Renewed): PeerSnapshot {
  return { generation, rows: rows.map(({ is_set_aside: isSetAside, ...row }) => ({ ...row, isSetAside })) }
}

async function holdGeneration(transaction: Handle): Promise<number> {
  const [held] = await transaction.select().from(peerGeneration).for('update')
  return held!.value
}

async function raiseGeneration(transaction: Handle): Promise<number> {
  const [raised] = await transaction
    .update(peerGeneration)
    .set({ value: sql`${peerGeneration.value} + 1` })
    .returning()
  return raised!.value
}

function selectRows(transaction: Handle): Promise<PeerRow[]> {
  return transaction.select().from(peer).orderBy(asc(peer.number))
}
