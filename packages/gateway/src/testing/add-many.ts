// Fills a database with more models, devices and keys than anyone would add one by one. It writes past the store, thousands of rows at a time.

import { connectStore } from '../store/open-store.ts'

export interface Many {
  organization: string
  models: number
  devices: number
}

const AUDIT = `insert into audit_log (organization_id, actor_kind, actor_name, action, object_kind, object_id, object_name)
  select $1, 'operator', 'operator',`

/** With entries in the audit log. */
export async function addMany(folder: string, { organization, models, devices }: Many): Promise<void> {
  const { pool, close } = await connectStore(`embedded:${folder}`)
  await pool.query(
    `with added as (
       insert into model (organization_id, name, state, owned_by)
       select $1, 'many-' || number, 'enabled', 'organization' from generate_series(0, $2::int - 1) as number
       returning name
     ) ${AUDIT} 'model.enable', 'model', name, name from added`,
    [organization, models],
  )
  await pool.query(
    `with added as (
       insert into device (id, organization_id, name, credential_digest)
       select gen_random_uuid()::text, $1, 'machine ' || number, gen_random_uuid()::text
       from generate_series(0, $2::int - 1) as number
       returning id, name
     ) ${AUDIT} 'device.enrol', 'device', id, name from added`,
    [organization, devices],
  )
  await close()
}

/** Few enough that one statement finishes in time on a busy machine. */
const PER_STATEMENT = 2_500

/** `digests` are those of the devices' credentials. */
export async function addManyDevices(
  url: string,
  { organization, digests }: { organization: string; digests: readonly string[] },
): Promise<void> {
  const { pool, close } = await connectStore(url)
  for (let added = 0; added < digests.length; added += PER_STATEMENT)
    await pool.query(
      `insert into device (id, organization_id, name, credential_digest)
       select gen_random_uuid()::text, $1, 'many', digest from unnest($2::text[]) as digest`,
      [organization, digests.slice(added, added + PER_STATEMENT)],
    )
  await close()
}

/** From `Key 0000` on, each a millisecond younger than the one before. Nobody has them: their digests are digests of nothing. */
export async function addManyKeys(
  url: string,
  { organization, createdBy, keys }: { organization: string; createdBy: string; keys: number },
): Promise<void> {
  const { pool, close } = await connectStore(url)
  for (let added = 0; added < keys; added += PER_STATEMENT)
    await pool.query(
      `insert into api_key (id, organization_id, created_by, name, digest, hint, created_at)
       select gen_random_uuid()::text, $1, $2, 'Key ' || lpad(number::text, 4, '0'),
         encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 'none', now() - ($5 - number) * interval '1 millisecond'
       from generate_series($3::int, $4::int - 1) as number`,
      [organization, createdBy, added, Math.min(added + PER_STATEMENT, keys), keys],
    )
  await close()
}
