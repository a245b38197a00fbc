// Reads who has access to what, over a connection that is used for nothing else. These queries are short: a long one is split into pages.

import { and, asc, eq, gt, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Database, Handle } from './database.ts'
import { omitNulls } from './omit-nulls.ts'
import type { AccessKey, AccessStore, Changed, Place, RevisionRange } from './store.ts'
import { accessChange, accessRevision, apiKey, device, member, model, organization } from './tables.ts'

/** The number of slots in the ring of changes, as in the triggers. */
const RING = 10_000

export function accessQueries({ access }: Database): AccessStore {
  // Every gateway runs this all the time.
  const revisions = access.select().from(accessRevision).prepare('hearth_revisions')

  return {
    async revisions() {
      const values = new Map((await revisions.execute()).map(({ name, value }) => [name, value]))
      return { keys: values.get('keys') ?? 0, models: values.get('models') ?? 0, devices: values.get('devices') ?? 0 }
    },

    accessKeys: () => selectKeys(access).then(usable),
    accessModels: () => selectModels(access),
    accessDevices: () => selectDevices(access),

    async keyPage({ after, limit }) {
      const rows = await selectKeys(access, after && gt(apiKey.id, after.id), limit)
      return { rows: usable(rows), ...endOf(rows, limit, ({ id }) => id) }
    },

    async modelPage({ after, limit }) {
      const isNext = after && sql`(${model.organizationId}, ${model.name}) > (${after.organization}, ${after.id})`
      const rows = await selectModels(access, isNext, limit)
      return { rows, ...endOf(rows, limit, ({ name }) => name) }
    },

    async devicePage({ after, limit }) {
      const rows = await selectDevices(access, after && gt(device.id, after.id), limit)
      return { rows, ...endOf(rows, limit, ({ id }) => id) }
    },

    async changedKeys(range) {
      const changes = await listChanges(access, 'keys', range)
      return changes && withRows(changes, usable(await selectKeys(access, isAnyOf(apiKey.id, changes))), ({ id }) => id)
    },

    async changedModels(range) {
      const changes = await listChanges(access, 'models', range)
      return changes && withRows(changes, await selectModels(access, isAnyModel(changes)), ({ name }) => name)
    },

    async changedDevices(range) {
      const changes = await listChanges(access, 'devices', range)
      return changes && withRows(changes, await selectDevices(access, isAnyOf(device.id, changes)), ({ id }) => id)
    },
  }
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

function endOf<Row extends { organization: string }>(
  rows: readonly Row[],
  limit: number,
  idOf: (row: Row) => string,
): { end?: Place } {
  const last = rows.length < limit ? undefined : rows.at(-1)
  return last ? { end: { organization: last.organization, id: idOf(last) } } : {}
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

function usable(keys: readonly Changed<AccessKey>[]): AccessKey[] {
  return keys.flatMap(({ now }) => now ?? [])
}

/** Includes keys that don't work: a page of them has to end, however few of them do. */
async function selectKeys(access: Handle, which?: SQL, limit?: number): Promise<Changed<AccessKey>[]> {
  const page = pageOf(access, which, limit)
  const isCreator = and(eq(member.organizationId, page.organizationId), eq(member.personId, page.createdBy))
  // The extra hour allows for clocks that differ: expiry is checked when the key is used.
  const isAlive = or(isNull(page.expiresAt), gt(page.expiresAt, sql`now() - interval '1 hour'`))
  const rows = await access
    .select({
      id: page.id,
      organization: page.organizationId,
      digest: page.digest,
      previousDigest: page.previousDigest,
      previousEndsAt: page.previousEndsAt,
      expiresAt: page.expiresAt,
      models: page.models,
      separatesPrefixes: organization.separatesPrefixes,
      limits: {
        requestsPerMinute: page.requestsPerMinute,
        tokensPerMinute: page.tokensPerMinute,
        jobsAtOnce: page.jobsAtOnce,
      },
      isUsable: sql<boolean>`${and(isNotNull(member.id), isNull(page.revokedAt), isNull(page.disabledAt), isAlive)}`,
    })
    .from(page)
    .leftJoin(member, isCreator)
    .leftJoin(organization, eq(organization.id, page.organizationId))
    .orderBy(asc(page.id))
  return rows.map(({ isUsable, limits, separatesPrefixes, previousDigest, previousEndsAt, ...row }) => {
    const { organization, id } = row
    const some = omitNulls(limits)
    const now = {
      ...omitNulls(row),
      ...(previousDigest !== null &&
        previousEndsAt !== null && { previous: { digest: previousDigest, endsAt: previousEndsAt } }),
      ...(Object.keys(some).length > 0 && { limits: some }),
      ...(separatesPrefixes && { separatesPrefixes }),
    }
    return { organization, id, ...(isUsable && { now }) }
  })
}

/** Found first and alone, because an embedded database keeps no statistics and would plan the whole query badly. */
function pageOf(access: Handle, which: SQL | undefined, limit: number | undefined) {
  const query = access.select().from(apiKey).where(which).orderBy(asc(apiKey.id))
  return (limit === undefined ? query : query.limit(limit)).as('page')
}

async function selectModels(access: Handle, which?: SQL, limit?: number) {
  const { organizationId: organization, name, state, ownedBy, createdAt, defaults } = model
  const query = access
    .select({ organization, name, state, ownedBy, createdAt, defaults })
    .from(model)
    .where(which)
    .orderBy(asc(organization), asc(name))
  const rows = await (limit === undefined ? query : query.limit(limit))
  return rows.map(omitNulls)
}

async function selectDevices(access: Handle, which?: SQL, limit?: number) {
  const { id, organizationId: organization, name, credentialDigest } = device
  const query = access
    .select({ id, organization, name, credentialDigest, isPaused: sql<boolean>`${device.pausedAt} is not null` })
    .from(device)
    .where(which)
    .orderBy(asc(id))
  return limit === undefined ? query : query.limit(limit)
}
