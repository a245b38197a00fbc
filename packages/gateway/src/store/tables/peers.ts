import { bigint, bigserial, boolean, jsonb, pgSequence, pgTable, text } from 'drizzle-orm/pg-core'
import type { BusServer } from '../../bus/bus.ts'
import { total } from './columns.ts'

/** The gateways that form the service; see fleet/peers. The rows are exactly the peers of the current generation. */
export const peer = pgTable('replica', {
  number: bigserial({ mode: 'number' }).primaryKey(),
  id: text().notNull(),
  version: text().notNull(),
  acknowledged: total('acknowledged').default(0),
  turn: total('turn').default(0),
  peers: bigint({ mode: 'number' }).array().notNull().default([]),
  bus: jsonb().$type<BusServer>(),
  hears: bigint({ mode: 'number' }).array().notNull().default([]),
  isIsolated: boolean('is_set_aside').notNull().default(false),
})

/** One row. Whoever changes the peers holds it. */
export const peerGeneration = pgTable('replica_generation', {
  value: total('value'),
})

export const LINK_EPOCH = 'link_epoch'
export const linkEpoch = pgSequence(LINK_EPOCH)
