// Two real device apps with the same model file, each behind a connection that drops in the middle of a reply. The client sees the reply it
// would have seen without that.

import { afterAll, expect, it } from 'vitest'
import { createRandom } from '../harness/create-random.ts'
import { startCuttableLink } from '../harness/connections/cuttable-link.ts'
import { startDeviceProcess } from '../harness/processes/device-process.ts'
import { summarize, type StreamEvent, type WholeStream } from '../harness/client/read-stream.ts'
import { startSystem } from '../harness/start-system.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'

const TINY = {
  path: TINY_PATH,
  name: 'own',
}

const system = await startSystem({ devices: 'none' })
const links = await Promise.all([startCuttableLink(system.origin), startCuttableLink(system.origin)])
const devices = await Promise.all(links.map(({ origin }) => start(origin)))
const random = createRandom(11)
afterAll(async () => {
  for (const part of [...devices, ...links, system]) await part[Symbol.asyncDispose]()
})

async function start(origin: string) {
  const token = await system.enrolmentToken(TINY.name)
  return startDeviceProcess({ origin, token, model: TINY, flags: ['--slots', '4'] })
}

const TOOL = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

const ask = (content: string, rest: object = {}) => ({
  model: TINY.name,
  messages: [{ role: 'user', content }],
  temperature: 0,
  max_tokens: 400,
  stream_options: { include_usage: true },
  ...rest,
})

const KINDS: Record<string, object> = {
  text: ask('Tell me a story.'),
  'text in another script': ask('Say hi in Japanese.'),
  JSON: ask('Tell me about a cat.', { response_format: { type: 'json_object' } }),
  'a tool call': ask('What is the weather in Oslo?', { tools: [TOOL] }),
  'several choices': ask('Tell me a story.', { n: 3 }),
  'log probabilities': ask('Tell me a story.', { logprobs: true, max_tokens: 100 }),
  penalties: ask('Tell me a story.', { frequency_penalty: 0.5 }),
}

/** The client's view of a reply, without anything random or dependent on timing. */
function seen({ chunks, texts, finishes, done, error }: WholeStream) {
  const choices = chunks.flatMap((chunk) => chunk.choices)
  return {
    texts,
    finishes,
    done,
    error,
    calls: choices.flatMap(({ delta }) => delta.tool_calls ?? []).map((call) => JSON.stringify(call.function)),
    tokens: choices.flatMap(({ logprobs }) => logprobs?.content ?? []).map(({ token }) => token),
    completionTokens: chunks.at(-1)?.usage?.completion_tokens,
  }
}

/** Reads a stream, and cuts the connections of both devices after some events: whoever is back first continues. */
async function cutAfter(body: object, count: number): Promise<WholeStream> {
  const events: StreamEvent[] = []
  const stream = await system.client.openStream(body)
  for await (const event of stream.events) {
    events.push(event)
    if (events.length === count) for (const link of links) link.cut()
  }
  return summarize(events)
}

it.each(Object.keys(KINDS))('[S60] %s goes on after the connection of its device broke', async (kind) => {
  const body = KINDS[kind]!
  const whole = seen(await system.client.stream(body))
  expect(whole).toMatchObject({ done: true, error: undefined })
  // Once per kind, because each break takes the devices up to half a second to dial again. `npm run faults` cuts many more.
  // Early, because the tiny model writes a whole story within a few milliseconds.
  const count = 1 + Math.floor(random() * 4)
  expect([count, seen(await cutAfter(body, count))]).toEqual([count, whole])
})

it('each continued reply is counted in the metrics', async () => {
  expect(await system.metric('hearth_continued_replies_total')).toBeGreaterThan(0)
})
