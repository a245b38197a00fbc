// Reads the rows that changed in some revisions.

import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Database, Handle } from '../database/database.ts'
import type { Model } from '../models.ts'
import { device } from '../tables/devices.ts'
import { apiKey } from '../tables/keys.ts'
import { model } from '../tables/models.ts'
import { accessChange } from '../tables/revisions.ts'
import {
  selectDevices,
  selectKeys,
  selectModels,
  usableKeys,
  type AccessDevice,
  type AccessKey,
  type Changed,
  type Place,
} from './access-rows.ts'

export const accessChangeQueries = { changedKeys, changedModels, changedDevices }

export interface RevisionRange {
  after: number
  upTo: number
}

/** The number of slots in the ring of changes, as in the triggers. */
const RING = 10_000

/** Undefined if it was too long ago to know; the same for models and devices. */
async function changedKeys({ access }: Database, range: RevisionRange): Promise<Changed<AccessKey>[] | undefined> {
  const changes = await listChanges(access, 'keys', range)
  if (!changes) return undefined
  const rows = usableKeys(await selectKeys(access, isAnyOf(apiKey.id, changes)))
  return withRows(changes, rows, ({ id }) => id)
}

async function changedModels({ access }: Database, range: RevisionRange): Promise<Changed<Model>[] | undefined> {
  const changes = await listChanges(access, 'models', range)
  return changes && withRows(changes, await selectModels(access, isAnyModel(changes)), ({ name }) => name)
}

async function changedDevices(
  { access }: Database,
  range: RevisionRange,
): Promise<Changed<AccessDevice>[] | undefined> {
  const changes = await listChanges(access, 'devices', range)
  return changes && withRows(changes, await selectDevices(access, isAnyOf(device.id, changes)), ({ id }) => id)
}

/** Undefined if newer changes have taken the place of some of these. */
async function listChanges(
  access: Handle,
  kind: typeof accessChange.$inferSelect.kind,
  { after, upTo }: RevisionRange,
): Promise<Place[] | undefined> {
  if (upTo - after > RING) return undefined
  const wanted = sql`select (revision % ${RING})::integer from generate_series(${after + 1}::bigint, ${upTo}::bigint) as revision`
  const isWanted = sql`${accessChange.slot} in (${wanted}) and ${accessChange.revision} between ${after + 1} and ${upTo}`
  const changes = await access
    .select({ organization: accessChange.organizationId, id: accessChange.objectId })
    .from(accessChange)
    .where(and(eq(accessChange.kind, kind), isWanted))
  return changes.length === upTo - after ? changes : undefined
}

function withRows<Row extends { organization: string }>(
  changes: readonly Place[],
  rows: readonly Row[],
  idOf: (row: Row) => string,
): Changed<Row>[] {
  const byPlace = new Map(rows.map((row) => [placeOf({ organization: row.organization, id: idOf(row) }), row]))
  const places = new Map(changes.map((place) => [placeOf(place), place]))
  return [...places].map(([name, place]) => {
    const now = byPlace.get(name)
    return now ? { ...place, now } : place
  })
}

function placeOf({ organization, id }: Place): string {
  return `${organization}\n${id}`
}

function isAnyOf(column: typeof apiKey.id | typeof device.id, places: readonly Place[]): SQL {
  return sql`${column} = any(${sql.param(places.map(({ id }) => id))}::text[])`
}

function isAnyModel(places: readonly Place[]): SQL {
  const organizations = sql.param(places.map(({ organization }) => organization))
  const names = sql.param(places.map(({ id }) => id))
  return sql`(${model.organizationId}, ${model.name}) in (select * from unnest(${organizations}::text[], ${names}::text[]))`
}
