// Sends strings that exist nowhere else through every path a text can take, and then looks for them in everything the gateway left behind.

import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exchange, requestHead } from '../harness/client/raw-http.ts'
import { FULL, HI, LONELY, PLAIN, startSystem, UNKNOWN } from '../harness/start-system.ts'
import { searchFolder } from '../sealed/search/search-folder.ts'

const CANARY = `canary-${crypto.randomUUID()}`
const system = await startSystem({ settings: { LOG_LEVEL: 'debug', DEVICE_WAIT_MS: '3000', USAGE_FLUSH_MS: '100' } })
afterAll(async () => system[Symbol.asyncDispose]())
const { client, full } = system
const credential = await system.enrol('home')

const PROMPT = [{ role: 'user', content: `${CANARY}-prompt` }]

beforeAll(async () => {
  for (const stream of [false, true]) {
    full.plan = { text: [`${CANARY}-answer`] }
    await client.post({ model: FULL, messages: PROMPT, stream })
    full.plan = { calls: [{ id: 'call_1', name: 'f', arguments: JSON.stringify({ secret: `${CANARY}-call` }) }] }
    await client.post({
      model: FULL,
      messages: PROMPT,
      stream,
      tools: [{ type: 'function', function: { name: 'f', description: `${CANARY}-tool` } }],
    })
    full.plan = { failure: { message: `${CANARY}-failure` } }
    await client.post({ model: FULL, messages: PROMPT, stream })
    full.plan = { failure: { at: 2, message: `${CANARY}-late-failure` } }
    await client.post({ model: FULL, messages: PROMPT, stream })
    full.plan = { failure: { code: 'context_length_exceeded', message: `${CANARY}-too-long` } }
    await client.post({ model: FULL, messages: PROMPT, stream })
    await client.post({ model: LONELY, messages: PROMPT, stream })
    await client.post({ model: UNKNOWN, messages: PROMPT, stream })
    await client.post({ model: PLAIN, messages: PROMPT, stream, n: 2 })
  }
  for (const faulty of [
    { model: `${CANARY}-model`, messages: PROMPT },
    { model: FULL, messages: [{ role: `${CANARY}-role`, content: 'x' }] },
    { model: FULL, messages: HI, stop: [`${CANARY}-stop`.repeat(20)] },
    { model: FULL, messages: HI, metadata: { a: `${CANARY}-metadata` }, user: `${CANARY}-user`, n: 0 },
    { model: FULL, messages: HI, response_format: { type: `${CANARY}-format` } },
    { model: FULL, messages: HI, [`${CANARY}-field`]: 1, temperature: `${CANARY}-temperature` },
  ])
    await client.post(faulty)
  await client.call('/chat/completions', {
    method: 'POST',
    body: `{"${CANARY}-broken`,
    headers: { 'content-type': 'application/json' },
  })
  // An ID that is clean is kept, so that its client can find the request again.
  await client.call(`/models/${CANARY}-path?${CANARY}-query`, {
    headers: { 'user-agent': `${CANARY}-agent`, 'x-request-id': `${CANARY} with blanks` },
  })
  await client.call('/models', { key: `${CANARY}-key` })
  await exchange(system.origin, requestHead('GET', '/openai/v1/models', [[`${CANARY}-header`, 'x'.repeat(20_000)]]))
  await exchange(system.origin, `${CANARY}-garbage\r\n\r\n`)
  await talkNonsense()
})

async function talkNonsense(): Promise<void> {
  const plan = { junk: { at: 1, message: `{"type":"job-delta","text":"${CANARY}-junk"}` } }
  await using device = await system.connectDevice({ models: [LONELY], plan, credential })
  await client.post({ model: LONELY, messages: PROMPT })
  await device.closed
}

it('[P1] no text of a request or an answer appears in anything the gateway printed', async () => {
  const log = await system.logged()
  expect(log).toContain('"outcome":"ended"')
  expect(log).not.toContain(CANARY)
})

it('[P1] no text of a request or an answer appears in any file the gateway wrote', async () => {
  await system.gateway.stop()
  expect(await searchFolder(system.folder, [FULL])).toStrictEqual([FULL])
  expect(await searchFolder(system.folder, [CANARY])).toStrictEqual([])
  expect(system.gateway.output()).not.toContain(CANARY)
})

it('[P2] keys, credentials and tokens appear nowhere, only their digests', async () => {
  for (const secret of [system.keys.home, credential]) {
    const digest = hash('sha256', secret)
    expect(await searchFolder(system.folder, [secret])).toStrictEqual([])
    expect(system.gateway.output()).not.toContain(secret)
    expect(await searchFolder(system.folder, [digest])).toStrictEqual([digest])
  }
})
