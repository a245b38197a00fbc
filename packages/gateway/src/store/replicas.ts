// Who is a member of the service. Whoever changes the members holds the row of the generation, so changes come one after the other.
// Renewals hold only their own row and wait for nobody else.

import { arrayContains, asc, eq, ne, sql } from 'drizzle-orm'
import type { Database, Handle } from './database.ts'
import type { ReplicaRow, ReplicaSnapshot, ReplicaStore, ReplicaSweep } from './store.ts'
import { linkEpoch, replica, replicaGeneration } from './tables.ts'

export function replicaQueries({ query, fleet, transactFleet }: Database): ReplicaStore & ReplicaSweep {
  return {
    joinReplicas({ id, version }) {
      return transactFleet(async (transaction) => {
        const generation = await holdGeneration(transaction)
        const [other] = await transaction.select().from(replica).where(ne(replica.version, version)).limit(1)
        if (other) return { snapshot: { generation, rows: await selectRows(transaction) } }
        const [{ number } = { number: 0 }] = await transaction
          .insert(replica)
          .values({ id, version })
          .returning({ number: replica.number })
        await raiseGeneration(transaction)
        return { number, snapshot: { generation: generation + 1, rows: await selectRows(transaction) } }
      })
    },

    // One statement, so that the generation and the rows are of the same moment.
    renewReplica: ({ number, turn, acknowledged, peers, hears }) =>
      fleet(async (handle) => {
        const { rows } = await handle.execute<Renewed>(sql`
          with renewed as (
            update ${replica}
            set turn = ${turn}, acknowledged = ${acknowledged}, peers = ${sql.param([...peers])}::bigint[],
              hears = ${sql.param([...hears])}::bigint[]
            where number = ${number} and turn < ${turn}
            returning number
          )
          select
            (select value from ${replicaGeneration})::float8 as generation,
            exists (select from renewed) as "isRenewed",
            (select json_agg(replica order by number) from ${replica}) as rows
        `)
        // The rows are those of before the update. Its own result tells whether somebody removed the row at the same moment.
        return rows[0]?.isRenewed ? toSnapshot(rows[0]) : undefined
      }),

    removeReplicas(replicas) {
      return transactFleet(async (transaction) => {
        const generation = await holdGeneration(transaction)
        const numbers = sql.param(replicas.map(({ number }) => number))
        const turns = sql.param(replicas.map(({ turn }) => turn))
        const isUnchanged = sql`(${replica.number}, ${replica.turn}) in (select * from unnest(${numbers}::bigint[], ${turns}::bigint[]))`
        const removed = await transaction.delete(replica).where(isUnchanged).returning({ number: replica.number })
        return removed.length > 0 ? raiseGeneration(transaction) : generation
      })
    },

    setAsideReplicas({ generation, numbers }) {
      return transactFleet(async (transaction) => {
        const current = await holdGeneration(transaction)
        if (current !== generation) return current
        const isUnheard = sql`${replica.number} = any(${sql.param([...numbers])}::bigint[])`
        await transaction
          .update(replica)
          .set({ isSetAside: isUnheard })
          .where(sql`${replica.isSetAside} <> (${isUnheard})`)
        return raiseGeneration(transaction)
      })
    },

    leaveReplicas(number) {
      return transactFleet(async (transaction) => {
        await holdGeneration(transaction)
        await transaction.delete(replica).where(eq(replica.number, number))
        await transaction
          .update(replica)
          .set({ peers: [] })
          .where(arrayContains(replica.peers, [number]))
        return raiseGeneration(transaction)
      })
    },

    async forgetReplicas() {
      await transactFleet(async (transaction) => {
        await holdGeneration(transaction)
        await transaction.delete(replica)
        await raiseGeneration(transaction)
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
  rows: (Omit<ReplicaRow, 'isSetAside'> & { is_set_aside: boolean })[]
}

function toSnapshot({ generation, rows }: Renewed): ReplicaSnapshot {
  return { generation, rows: rows.map(({ is_set_aside: isSetAside, ...row }) => ({ ...row, isSetAside })) }
}

async function holdGeneration(transaction: Handle): Promise<number> {
  const [held] = await transaction.select().from(replicaGeneration).for('update')
  return held!.value
}

async function raiseGeneration(transaction: Handle): Promise<number> {
  const [raised] = await transaction
    .update(replicaGeneration)
    .set({ value: sql`${replicaGeneration.value} + 1` })
    .returning()
  return raised!.value
}

function selectRows(transaction: Handle): Promise<ReplicaRow[]> {
  return transaction.select().from(replica).orderBy(asc(replica.number))
}
