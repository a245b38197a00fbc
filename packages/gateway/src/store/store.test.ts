import { Client } from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import './contract/access-changes.contract.ts'
import './contract/activity.contract.ts'
import './contract/deletion.contract.ts'
import './contract/devices.contract.ts'
import './contract/joining.contract.ts'
import './contract/key-changes.contract.ts'
import './contract/keys.contract.ts'
import './contract/models.contract.ts'
import './contract/peers.contract.ts'
import './contract/people.contract.ts'
import './contract/records.contract.ts'
import './contract/requests.contract.ts'
import './contract/revisions.contract.ts'
import './contract/sealing.contract.ts'
import './contract/separation.contract.ts'
import './contract/usage.contract.ts'
import { LATER, postgres, StoreWorld } from '../testing/store-world.ts'
import { createDatabase } from './database/database.ts'
import { migrateTo } from './database/migrate.ts'
import { connectStore, openStore } from './open-store.ts'
import type { Store } from './store.ts'

/** A store with an organization, and a client that writes past it. Both are closed at the end of the test. */
async function open() {
  const url = await postgres.createDatabase()
  const store = await openStore(url)
  onTestFinished(() => store.close())
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  const { id: organization } = await store.createOrganization({ name: 'Acme' })
  return { url, store, client, organization }
}

it.each(['update audit_log set actor_name = $1', 'delete from audit_log where actor_name <> $1'])(
  'the audit log in PostgreSQL rejects: %s',
  async (statement) => {
    const { store, client, organization } = await open()
    const before = await store.listAudit({ organization, limit: 10 })
    await expect(client.query(statement, ['nobody'])).rejects.toThrow(/audit log/)
    expect(before).toHaveLength(1)
    expect(await store.listAudit({ organization, limit: 10 })).toEqual(before)
  },
)

it('old entries of the audit log in PostgreSQL are deleted, a few at a time, by one gateway at a time, and younger ones stay', async () => {
  const { store, client, organization } = await open()
  await client.query(
    `insert into audit_log (id, organization_id, at, actor_kind, actor_name, action, object_kind, object_id, object_name)
     select -number, $1, now() - interval '1 year', 'operator', 'operator', 'key.create', 'key', 'k', 'k'
     from generate_series(1, 5) as number`,
    [organization],
  )
  const question = { before: new Date(Date.now() - 86_400_000), limit: 3 }
  await client.query('select pg_advisory_lock(7245318962)')
  expect(await store.pruneAudit(question)).toBe(0)
  await client.query('select pg_advisory_unlock(7245318962)')
  expect([await store.pruneAudit(question), await store.pruneAudit(question)]).toEqual([3, 2])
  expect(await store.pruneAudit(question)).toBe(0)
  expect(await store.listAudit({ organization, limit: 10 })).toMatchObject([{ action: 'organization.create' }])
  // Whatever the setting says, the database keeps half a year.
  await expect(store.pruneAudit({ before: new Date(Date.now() + 1_000), limit: 3 })).rejects.toThrow(/only grows/)
  expect(await store.tableSizes()).toContainEqual({ table: 'usage_day', bytes: expect.any(Number) })
})

describe('an organization that is deleted, in PostgreSQL', () => {
  it('leaves nothing in any table, and everything of other organizations', async () => {
    const { store, client } = await open()
    const { rows: tables } = await client.query<{ table_name: string }>(
      "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'",
    )
    // The ring of changes names what is gone, for gateways that have to forget it.
    const names = tables.map(({ table_name: name }) => name).filter((name) => name !== 'access_change')
    const [gone, stays] = [await settle(store, client), await settle(store, client)]
    const count = async (organization: string) => {
      const counts: Record<string, number> = {}
      for (const name of names) {
        const { rows } = await client.query<{ count: number }>(
          `select count(*)::int as count from "${name}" where organization_id = $1`,
          [organization],
        )
        counts[name] = rows[0]!.count
      }
      return counts
    }
    const before = await count(stays)
    expect(Object.entries(before).filter(([, rows]) => rows === 0)).toEqual([])
    await store.deleteOrganization({ organization: gone, deletesAt: new Date(Date.now() - 60_000) })
    while ((await store.sweepOrganizations({ limit: 2 })) > 0);
    expect(await count(gone)).toEqual(Object.fromEntries(names.map((name) => [name, 0])))
    expect(await count(stays)).toEqual(before)
  })

  /** An organization with a row in every table. */
  async function settle(store: Store, client: Client): Promise<string> {
    const world = new StoreWorld(store)
    await world.renew()
    const { key: apiKey } = await world.fill()
    const { organization } = world.scope
    await store.createInvitation({ organization, role: 'member', digest: `link of ${organization}`, expiresAt: LATER })
    await client.query(
      `insert into device_code (digest, selector, user_code_digest, name, app, system, address, expires_at, state, interval_ms, organization_id)
       values ($1, $1, $1, 'd', 'a', 's', '192.0.2.1', now(), 'approved', 5000, $1)`,
      [organization],
    )
    await store.changeSealing({ organization, seal: 'hs-a' })
    const devices = { number: 1, text: 't', key: 'k', signature: 's', entries: 1 }
    await store.putSignedLists({ organization, seal: 'hs-a', apiKey, devices })
    return organization
  }
})

it('members in PostgreSQL are ten thousand per organization at most', async () => {
  const { store, client, organization } = await open()
  // Without triggers, which would announce every one of them.
  await client.query('set session_replication_role = replica')
  await client.query(
    "insert into person (id, name, email) select 'p' || n, 'P', n || '@example.test' from generate_series(1, 10000) n",
  )
  await client.query(
    "insert into member (id, organization_id, person_id, role) select 'm' || n, $1, 'p' || n, 'member' from generate_series(1, 9999) n",
    [organization],
  )
  const add = (name: string) => store.addMember({ organization, name, email: `${name}@example.test`, role: 'member' })
  await add('last')
  await expect(add('one-too-many')).rejects.toThrow(/has 10000 already/)
  await add('last')
})

describe('what is over, in PostgreSQL', () => {
  /** A member with this many keys that expired long ago, each a moment after the one before. */
  async function expire(count: number, session: string | null) {
    const { store, client, organization } = await open()
    const { person } = await store.addMember({ organization, name: 'Bo', email: 'bo@example.test', role: 'member' })
    await client.query(
      `insert into api_key (id, organization_id, created_by, name, digest, hint, expires_at, session_id)
       select 'k' || n, $1, $2, 'dead ' || n, 'd' || n, 'h', timestamptz '2020-01-01' + n * interval '1 ms', $3
       from generate_series(1, $4::integer) n`,
      [organization, person, session, count],
    )
    const key = { organization, createdBy: person, name: 'alive', digest: 'alive', hint: 'h' }
    return { store, organization, key }
  }

  it('stays listed for the newest hundred revoked or expired keys of a member', async () => {
    const { store, organization, key } = await expire(103, null)
    await store.createKey(key)
    const names = (await store.listKeys(organization)).map(({ name }) => name)
    expect(new Set(names)).toEqual(
      new Set([...Array.from({ length: 100 }, (_, index) => `dead ${index + 4}`), 'alive']),
    )
  })

  it('ends the playground keys of a member within a day', async () => {
    const { store, key } = await expire(300, 's')
    const another = store.createKey({ ...key, session: 's', expiresAt: new Date(Date.now() + 60_000) })
    await expect(another).rejects.toMatchObject({ code: 'limit', message: expect.stringContaining('Wait an hour') })
  })

  it('stays known for the latest hundred removed models', async () => {
    const { store, client, organization } = await open()
    await client.query(
      `insert into model (organization_id, name, state, owned_by, created_at)
       select $1, 'm' || n, 'removed', 'o', now() - n * interval '1 hour' from generate_series(1, 103) n`,
      [organization],
    )
    await store.enableModel({ organization, name: 'new' })
    const kept = (await store.accessModels()).map(({ name }) => name)
    expect(new Set(kept)).toEqual(new Set([...Array.from({ length: 100 }, (_, index) => `m${index + 1}`), 'new']))
  })
})

it('changes of access in PostgreSQL take the place of those 10,000 revisions before them', async () => {
  const { store, client } = await open()
  const { keys: before } = await store.revisions()
  for (const count of [1, 9_999, 1, 12_345]) {
    const fill = (value: string) => `array_fill('${value}'::text, array[${count}])`
    await client.query(`select record_access_changes('keys', ${fill('o')}, ${fill('k')})`)
  }
  const { rows } = await client.query("select count(*)::int as count from access_change where kind = 'keys'")
  const { keys: now } = await store.revisions()
  expect([now - before, rows]).toEqual([22_346, [{ count: 10_000 }]])
  expect(await store.changedKeys({ after: now - 10_001, upTo: now - 9_001 })).toBeUndefined()
  expect(await store.changedKeys({ after: now - 10_000, upTo: now - 9_000 })).toEqual([{ organization: 'o', id: 'k' }])
})

it('announcements of PostgreSQL come again after the connection was lost', async () => {
  const { store, client } = await open()
  const onChange = vi.fn()
  const watch = await store.watchAccess({ onChange, onError: () => undefined })
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1), { timeout: 150_000 })
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen hearth_access'`)
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2), { timeout: 150_000 })
  await store.createOrganization({ name: 'Acme' })
  await vi.waitFor(() => expect(onChange.mock.calls.length).toBeGreaterThan(2), { timeout: 150_000 })
  await watch.close()
})

describe('opening a store on PostgreSQL', () => {
  it('migrates an empty database once when several processes start together', async () => {
    const url = await postgres.createDatabase('nothing')
    const stores = await Promise.all(Array.from({ length: 3 }, () => openStore(url)))
    const revisions = await Promise.all(stores.map((store) => store.revisions()))
    expect(revisions).toEqual(Array.from({ length: 3 }, () => ({ keys: 1, models: 1, devices: 1 })))
    await Promise.all(stores.map((store) => store.close()))
  })

  it('adds up the days of usage that is there already, and counts no mistakes of clients as errors', async () => {
    const url = await postgres.createDatabase('nothing')
    const { close, ...connection } = await connectStore(url)
    const BEFORE_DAYS = 1_794_906_474_971
    await createDatabase(connection).transact((transaction) => migrateTo(transaction, BEFORE_DAYS))
    await connection.pool.query(
      `insert into usage_hour (hour, organization_id, key_id, model, device_id, requests, errors, prompt_tokens, completion_tokens, wait_ms, times)
       select hour, 'o', 'k', 'm', 'd', 2, 0, 5e9, 0, 0, case when extract(hour from hour) > 5 then array_fill(3, array[84]) else '{}' end
       from generate_series(timestamptz '2026-11-15T00:00Z', '2026-11-16T23:00Z', '1 hour') as hour`,
    )
    await connection.pool.query(
      `with changed as (update usage_hour set errors = 5 where hour = '2026-11-15T09:00Z' returning *)
       insert into usage_code select hour, organization_id, key_id, model, device_id, code, 2
       from changed, unnest(array['invalid_json', 'server_error']) as code`,
    )
    await close()
    const store = await openStore(url)
    const range = { organization: 'o', from: new Date('2026-11-15T00:00Z'), to: new Date('2026-11-17T00:00Z') }
    const exact = await store.sumUsage({ ...range, by: 'model', key: 'k', device: 'd' })
    expect(exact).toMatchObject([{ requests: 96, errors: 3, promptTokens: 48 * 5e9, times: Array(84).fill(36 * 3) }])
    for (const more of [{}, { key: 'k' }, { device: 'd' }])
      expect(await store.sumUsage({ ...range, by: 'model', ...more })).toEqual(exact)
    await store.close()
  })

  it('rejects a database that a newer version of Hearth has migrated, and changes nothing', async () => {
    const { url, client } = await open()
    const migrations = async () => (await client.query('select * from drizzle.__drizzle_migrations')).rows
    await client.query(
      `insert into drizzle.__drizzle_migrations (hash, created_at, hearth) values ('unknown', 9e15, '98.7.6')`,
    )
    const before = await migrations()
    await expect(openStore(url)).rejects.toThrow(
      /newer version of Hearth has changed the tables.*Start Hearth 98\.7\.6 or a later one, or restore a backup/,
    )
    expect(await migrations()).toEqual(before)
  })

  it('reports an unreachable database, without the password', async () => {
    const refused = openStore('postgres://hearth:geheim@127.0.0.1:1/hearth')
    await expect(refused).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' })
    await expect(refused).rejects.toThrow(/cannot be reached \(ECONNREFUSED\).*DATABASE_URL/)
    await expect(refused).rejects.not.toThrow(/geheim/)
  })

  it('explains what a valid URL looks like, without the password', async () => {
    await expect(openStore('mysql://hearth:geheim@db/hearth')).rejects.toThrow(/embedded:<folder> or postgres:\/\//)
    await expect(openStore('mysql://hearth:geheim@db/hearth')).rejects.not.toThrow(/geheim/)
    await expect(openStore('pglite:./data')).rejects.toThrow(/set DATABASE_URL to embedded:<folder> .* not "pglite…"/)
  })
})
