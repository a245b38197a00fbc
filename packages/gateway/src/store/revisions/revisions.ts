import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { accessRevision } from '../tables/revisions.ts'

export interface Revisions {
  keys: number
  models: number
  devices: number
}

/** Prepared once, because every gateway runs it all the time. */
export function revisionReader({ access }: Database) {
  const prepared = access.select().from(accessRevision).prepare('hearth_revisions')

  /** Numbers that increase by one with every change, in the same transaction. */
  async function revisions(): Promise<Revisions> {
    const values = new Map((await prepared.execute()).map(({ name, value }) => [name, value]))
    return { keys: values.get('keys') ?? 0, models: values.get('models') ?? 0, devices: values.get('devices') ?? 0 }
  }

  /** What time it is for the database. */
  async function time(): Promise<Date> {
    const { rows } = await access.execute<{ ms: string }>(
      sql`select extract(epoch from clock_timestamp()) * 1000 as ms`,
    )
    return new Date(Number(rows[0]?.ms))
  }
  return { revisions, time }
}
