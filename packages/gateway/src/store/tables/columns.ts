// The tables in this folder are the schema, in PostgreSQL's dialect, for the embedded database and for others. No column contains a key or a
// credential (only digests) or any content. Many of them have the columns in this file.
//
// Triggers are in the migrations: they increase access_revision and fill access_change in the transaction that changes a key, a model or a
// device, and revoke the keys of a member who leaves. A new column that decides about access has to be added to them.

import { bigint, timestamp } from 'drizzle-orm/pg-core'

export function timestamptz(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' })
}

/** A budget. Null means none. */
export function monthlyTokens() {
  return bigint('tokens_per_month', { mode: 'number' })
}

export function total(name: string) {
  return bigint(name, { mode: 'number' }).notNull()
}
