import { sql } from 'drizzle-orm'
import type { Handle } from './database.ts'

/** An arbitrary number that every version of Hearth has to share. */
const LOCK = 7_245_318_962

/** False if another gateway tidies up in the database at this moment. Held until the end of the transaction. */
export async function takeUpkeep(transaction: Handle): Promise<boolean> {
  const { rows } = await transaction.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCK}) as taken`,
  )
  return rows[0]?.taken === true
}
