// Fills a database with more models, devices and keys than anyone would add one by one. It writes past the store, thousands of rows at a time.

import { createDatabase } from '../store/database/database.ts'
import { connectStore } from '../store/open-store.ts'
import { auditLog } from '../store/tables/audit.ts'
import { device } from '../store/tables/devices.ts'
import { model } from '../store/tables/models.ts'

export interface Many {
  organization: string
  models: number
  devices: number
}

export async function addMany(folder: string, { organization, models, devices }: Many): Promise<void> {
  const { close, ...pools } = await connectStore(`embedded:${folder}`)
  const { query } = createDatabase(pools)
  const names = Array.from({ length: models }, (_, index) => `many-${index}`)
  const machines = Array.from({ length: devices }, (_, index) => ({
    id: crypto.randomUUID(),
    name: `machine ${index}`,
  }))
  await query.insert(model).values(names.map((name) => modelRow(organization, name)))
  await query.insert(device).values(machines.map((machine) => deviceRow(organization, machine)))
  await query
    .insert(auditLog)
    .values([
      ...names.map((name) => auditRow(organization, 'model', { id: name, name })),
      ...machines.map((machine) => auditRow(organization, 'device', machine)),
    ])
  await close()
}

/** Few enough that one statement finishes in time on a busy machine. */
const KEYS_PER_STATEMENT = 2_500
const DEVICES_PER_STATEMENT = 2_500

/** `digests` are those of the devices' credentials. */
export async function addManyDevices(
  url: string,
  { organization, digests }: { organization: string; digests: readonly string[] },
): Promise<void> {
  const { pool, close } = await connectStore(url)
  for (let added = 0; added < digests.length; added += DEVICES_PER_STATEMENT)
    await pool.query(
      `insert into device (id, organization_id, name, credential_digest)
       select gen_random_uuid()::text, $1, 'many', digest from unnest($2::text[]) as digest`,
      [organization, digests.slice(added, added + DEVICES_PER_STATEMENT)],
    )
  await close()
}

/** From `Key 0000` on, each a millisecond younger than the one before. Nobody has them: their digests are digests of nothing. */
export async function addManyKeys(
  url: string,
  { organization, createdBy, keys }: { organization: string; createdBy: string; keys: number },
): Promise<void> {
  const { pool, close } = await connectStore(url)
  for (let added = 0; added < keys; added += KEYS_PER_STATEMENT)
    await pool.query(
      `insert into api_key (id, organization_id, created_by, name, digest, hint, created_at)
       select gen_random_uuid()::text, $1, $2, 'Key ' || lpad(number::text, 4, '0'),
         encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 'none', now() - ($5 - number) * interval '1 millisecond'
       from generate_series($3::int, $4::int - 1) as number`,
      [organization, createdBy, added, Math.min(added + KEYS_PER_STATEMENT, keys), keys],
    )
  await close()
}

function modelRow(organizationId: string, name: string) {
  return { organizationId, name, state: 'enabled' as const, ownedBy: 'organization' }
}

function deviceRow(organizationId: string, { id, name }: { id: string; name: string }) {
  return { organizationId, id, name, credentialDigest: crypto.randomUUID() }
}

function auditRow(organizationId: string, kind: 'model' | 'device', { id, name }: { id: string; name: string }) {
  const object = { objectKind: kind, objectId: id, objectName: name }
  const action = kind === 'model' ? 'model.enable' : 'device.enrol'
  return { organizationId, actorKind: 'operator' as const, actorName: 'operator', action, ...object }
}
