// How long the usage page takes for an organization with a million rows in 30 days, how long an upgrade takes to add them up, and what it takes
// to fold a day: node bench/store/usage-sums.ts

import { createDatabase } from '../../packages/gateway/src/store/database/database.ts'
import { migrateTo } from '../../packages/gateway/src/store/database/migrate.ts'
import { connectStore, openStore } from '../../packages/gateway/src/store/open-store.ts'
import { startPostgres } from '../../packages/gateway/src/testing/start-postgres.ts'

const DAYS = 30
const DAY_MS = 86_400_000
const ROUNDS = 7
/** The last migration before there were sums of days. */
const BEFORE_DAYS = 1_794_906_474_971

const postgres = await startPostgres()
const url = await postgres.createDatabase('nothing')
const { pool, close, ...more } = await connectStore(url)
await createDatabase({ pool, ...more }).transact((transaction) => migrateTo(transaction, BEFORE_DAYS))
const organization = 'acme'

const to = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS)
const from = new Date(to.getTime() - DAYS * DAY_MS)

// 20 keys, 7 models, 10 devices.
const EVERYTHING = `generate_series($2::timestamptz, $3::timestamptz - interval '1 hour', interval '1 hour') as hour,
  generate_series(1, 20) as key, generate_series(1, 7) as model, generate_series(1, 10) as device`

async function fill(): Promise<void> {
  const client = await pool.connect()
  await client.query('set statement_timeout = 0')
  const insert = async (text: string) => {
    const query = { text, values: [organization, from, to], query_timeout: 600_000 }
    await client.query(query)
  }
  await client.query(`insert into organization (id, name, slug) values ('acme', 'Acme', 'acme')`)
  await insert(
    `insert into usage_hour (hour, organization_id, key_id, model, device_id, requests, errors, prompt_tokens, completion_tokens, wait_ms, times)
     select hour, $1, 'key-' || key, 'model-' || model, 'device-' || device, 10, 1, 1000, 500, 70,
       array_fill(0, array[10]) || array[key, model] || array_fill(0, array[72]) from ${EVERYTHING}`,
  )
  await insert(
    `insert into usage_code select hour, $1, 'key-' || key, 'model-' || model, 'device-' || device, 'model_unavailable', 1
     from ${EVERYTHING} where (key + model + device) % 20 = 0`,
  )
  client.release()
}

async function time(name: string, work: () => Promise<unknown>, rounds = ROUNDS): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = performance.now()
    await work()
    times.push(performance.now() - before)
  }
  console.log(`${name.padEnd(44)} ${times.toSorted((one, other) => one - other)[rounds >> 1]!.toFixed(1)} ms`)
}

await fill()
await time('upgrade: sums of days', async () => (await openStore(url)).close(), 1)
await pool.query('vacuum analyze usage_day, usage_code')
const store = await openStore(url)
try {
  const question = { organization, from, to }
  for (const by of ['model', 'key', 'device'] as const) {
    await time(`sums by ${by}`, () => store.sumUsage({ ...question, by }))
    await time(`points by ${by}`, () =>
      store.usagePoints({ ...question, by, step: 'day', ids: [`${by}-1`, `${by}-2`] }),
    )
  }
  await time('sums by model of one key', () => store.sumUsage({ ...question, by: 'model', key: 'key-3' }))
  await time('failed requests by code', () => store.usageCodes({ ...question, by: 'model' }))
  await time(
    'sums by model, from hours',
    () => store.sumUsage({ ...question, from: new Date(from.getTime() + 1), by: 'model' }),
    1,
  )
  await time('fold one day of 33,600 rows', () => store.foldUsage({ before: to }), 1)
  for (const { table, bytes } of await store.tableSizes())
    if (table.startsWith('usage_')) console.log(`${table.padEnd(44)} ${(bytes / 2 ** 20).toFixed(0)} MiB`)
} finally {
  await store.close()
  await close()
  await postgres.stop()
}
