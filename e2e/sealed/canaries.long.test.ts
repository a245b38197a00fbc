// Words that exist nowhere else, in everything that a request and a reply can hold. While a stream runs over three gateways, after one of its
// devices was lost, and again after its end, all that the gateways have is searched for them. Plain requests show that the search finds them.

import type { Plan } from '@hearth/gateway/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readWholeStream, type StreamEvent } from '../harness/client/read-stream.ts'
import { isLinux } from '../harness/leave-out.ts'
import { FULL } from '../harness/seed.ts'
import { startCanaryFleet, type CanaryFleet } from './canary-fleet.ts'

/** By where they are. All begin with the same mark, which is another one for each run, because memory keeps old words for a while. */
function plantWords() {
  const mark = `canary${crypto.randomUUID().replaceAll('-', '')}`
  return {
    mark,
    system: `${mark}system`,
    prompt: `${mark}prompt`,
    argument: `${mark}argument`,
    result: `${mark}result`,
    tool: `${mark}tool`,
    parameter: `${mark}parameter`,
    schema: `${mark}schema`,
    stop: `${mark}stop`,
    reply: `${mark}reply`,
    continued: `${mark}continued`,
  }
}

type Words = ReturnType<typeof plantWords>

function requestWith({ system, prompt, argument, result, tool, parameter, schema, stop }: Words) {
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: JSON.stringify({ a: argument }) } }
  return {
    model: FULL,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: result },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'f',
          description: tool,
          parameters: { type: 'object', properties: { [parameter]: { type: 'string' } } },
        },
      },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 's', schema: { type: 'object', properties: { [schema]: { type: 'string' } } } },
    },
    stop: [stop],
  }
}

/**
 * Whichever device gets the job begins the reply, and is lost when the client has the beginning. The other one continues and waits until
 * everything was searched. It is searched again when the request has been recorded.
 */
async function searchDuringReply(fleet: CanaryFleet, kind: 'plain' | 'sealed') {
  const words = plantWords()
  // Often, because the memory of a text that was passed on may be used again at any time.
  const often = (word: string) => `${word} `.repeat(200)
  const text = [often(words.reply), 'then ', often(words.continued), 'the ', 'end']
  const [loss, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const begins = { text, reportsTokens: true, stall: { at: 2, until: loss.promise }, crashAt: 2 }
  const continues = { text, reportsTokens: true, stall: { at: 4, until: release.promise } }
  const plan: Plan = ({ recovery }) => (recovery?.choices === undefined ? begins : continues)
  await using _first = await fleet.connect(0, plan)
  await using _second = await fleet.connect(1, plan)
  const { events, headers } = await fleet.client(kind).openStream(requestWith(words))
  await readUntil(events, text.slice(0, 2).join(''))
  loss.resolve()
  await readUntil(events, text.slice(2, 4).join(''))
  const during = await fleet.search(Object.values(words))
  release.resolve()
  const { texts, done } = await readWholeStream(events)
  expect({ texts, done }).toStrictEqual({ texts: ['end'], done: true })
  await expect.poll(() => fleet.isRecorded(headers.get('x-request-id') ?? 'none')).toBe(true)
  return { words: Object.values(words), during, after: await fleet.search(Object.values(words)) }
}

/** Reads exactly this text, and leaves what follows. */
async function readUntil(events: AsyncGenerator<StreamEvent, void>, text: string): Promise<void> {
  let read = ''
  while (read !== text) {
    const { value } = await events.next()
    if (value?.kind !== 'chunk' || !text.startsWith(read)) throw new Error(`Not the reply: ${JSON.stringify(value)}`)
    read += value.chunk.choices[0]?.delta.content ?? ''
  }
}

const NOT_WRITTEN = { tables: [], files: [], log: [] }
const NOWHERE = { memory: [], NATS: [], ...NOT_WRITTEN }

describe.runIf(isLinux('the memory of gateways'))('the text of a request and of its reply', () => {
  let fleet: CanaryFleet
  beforeAll(async () => void (fleet = await startCanaryFleet()))
  afterAll(async () => fleet[Symbol.asyncDispose]())

  it('is in the memory of gateways and between them as long as a plain request runs, and the search finds it', async () => {
    const { words, during, after } = await searchDuringReply(fleet, 'plain')
    expect(during).toStrictEqual({ memory: words, NATS: words, ...NOT_WRITTEN })
    expect(after).toMatchObject(NOT_WRITTEN)
  })

  it('is nowhere in three gateways if the request is sealed, also while a second device continues the reply', async () => {
    const { during, after } = await searchDuringReply(fleet, 'sealed')
    expect([during, after]).toStrictEqual([NOWHERE, NOWHERE])
  })
})
