// Reads the rows that decide about every request: all of them, a page of them, or those that changed in some revisions.

import { and, eq, gt, sql, type SQL } from 'drizzle-orm'
import type { Database, Handle } from '../database/database.ts'
import { device } from '../tables/devices.ts'
import { apiKey } from '../tables/keys.ts'
import { model } from '../tables/models.ts'
import { accessChange } from '../tables/revisions.ts'
import { selectAccessDevices, selectAccessKeys, selectAccessModels, type Changed, type RowKey } from './access-rows.ts'

export interface PageRequest {
  /** The end of the page before. */
  after?: RowKey | undefined
  limit: number
}

export interface Page<Row> {
  rows: Row[]
  /** Where the next page starts; undefined if there is none. */
  end?: RowKey
}

export interface RevisionRange {
  after: number
  upTo: number
}

interface AccessTable<Row> {
  kind: typeof accessChange.$inferSelect.kind
  select: (access: Handle, which?: SQL, limit?: number) => Promise<Changed<Row>[]>
  isAfter: (key: RowKey) => SQL
  isAnyOf: (chosen: readonly RowKey[]) => SQL
}

const keys = queriesOf({ kind: 'keys', select: selectAccessKeys, ...byId(apiKey.id) })
const devices = queriesOf({ kind: 'devices', select: selectAccessDevices, ...byId(device.id) })
const models = queriesOf({
  kind: 'models',
  select: selectAccessModels,
  isAfter: ({ organization, id }) => sql`(${model.organizationId}, ${model.name}) > (${organization}, ${id})`,
  isAnyOf: (chosen) => {
    const organizations = sql.param(chosen.map(({ organization }) => organization))
    const names = sql.param(chosen.map(({ id }) => id))
    return sql`(${model.organizationId}, ${model.name}) in (select * from unnest(${organizations}::text[], ${names}::text[]))`
  },
})

export const accessTableQueries = {
  accessKeys: keys.all,
  accessModels: models.all,
  accessDevices: devices.all,
  keyPage: keys.page,
  modelPage: models.page,
  devicePage: devices.page,
  changedKeys: keys.changed,
  changedModels: models.changed,
  changedDevices: devices.changed,
}

/** The number of slots in the ring of changes, as in the triggers. */
const RING = 10_000

function byId(column: typeof apiKey.id | typeof device.id) {
  return {
    isAfter: ({ id }: RowKey) => gt(column, id),
    isAnyOf: (chosen: readonly RowKey[]) => sql`${column} = any(${sql.param(chosen.map(({ id }) => id))}::text[])`,
  }
}

function queriesOf<Row>({ kind, select, isAfter, isAnyOf }: AccessTable<Row>) {
  return {
    all: async ({ access }: Database): Promise<Row[]> => usable(await select(access)),

    page: async ({ access }: Database, { after, limit }: PageRequest): Promise<Page<Row>> => {
      const rows = await select(access, after && isAfter(after), limit)
      const last = rows.length < limit ? undefined : rows.at(-1)
      return { rows: usable(rows), ...(last && { end: { organization: last.organization, id: last.id } }) }
    },

    /** Undefined if it was too long ago to know. */
    changed: async ({ access }: Database, range: RevisionRange): Promise<Changed<Row>[] | undefined> => {
      const changes = await listChanges(access, kind, range)
      if (!changes) return undefined
      const rows = new Map((await select(access, isAnyOf(changes))).map((row) => [nameOf(row), row]))
      const chosen = new Map(changes.map((key) => [nameOf(key), key]))
      return [...chosen].map(([name, key]) => rows.get(name) ?? key)
    },
  }
}

function usable<Row>(rows: readonly Changed<Row>[]): Row[] {
  return rows.flatMap(({ now }) => now ?? [])
}

/** Undefined if newer changes have taken the place of some of these. */
async function listChanges(
  access: Handle,
  kind: typeof accessChange.$inferSelect.kind,
  { after, upTo }: RevisionRange,
): Promise<RowKey[] | undefined> {
  if (upTo - after > RING) return undefined
  const wanted = sql`select (revision % ${RING})::integer from generate_series(${after + 1}::bigint, ${upTo}::bigint) as revision`
  const isWanted = sql`${accessChange.slot} in (${wanted}) and ${accessChange.revision} between ${after + 1} and ${upTo}`
  const changes = await access
    .select({ organization: accessChange.organizationId, id: accessChange.objectId })
    .from(accessChange)
    .where(and(eq(accessChange.kind, kind), isWanted))
  return changes.length === upTo - after ? changes : undefined
}

function nameOf({ organization, id }: RowKey): string {
  return `${organization}\n${id}`
}
