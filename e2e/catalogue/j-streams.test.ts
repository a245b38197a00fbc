import { checkNumberedText, numberedText } from '@hearth/gateway/testing'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { openLine, requestHead } from '../harness/client/raw-http.ts'
import { readWholeStream, summarize, type StreamEvent } from '../harness/client/read-stream.ts'
import { FULL, HI, LONELY, startSystem } from '../harness/start-system.ts'

const system = await startSystem({ settings: { HEARTBEAT_MS: '300' } })
afterAll(async () => system[Symbol.asyncDispose]())
const { client, full } = system

beforeEach(() => {
  full.plan = {}
})

const TOOLS = [{ type: 'function', function: { name: 'f' } }]
const BODY = { model: FULL, messages: HI }

async function stream(fields: object = {}) {
  return client.stream({ ...BODY, ...fields })
}

/** The stream as it is sent. */
async function text(fields: object = {}): Promise<string> {
  return (await client.call('/chat/completions', { body: { ...BODY, stream: true, ...fields } })).text
}

describe('shape', () => {
  it('[J89] [J89b] begins each choice with its role', async () => {
    const { headers, events } = await client.openStream({ ...BODY, n: 2 })
    expect(headers.get('content-type')).toMatch(/^text\/event-stream; *charset=utf-8$/i)
    const { chunks } = await readWholeStream(events)
    for (const index of [0, 1]) {
      const first = chunks.flatMap((chunk) => chunk.choices).find((choice) => choice.index === index)
      expect(first).toStrictEqual({
        index,
        delta: { role: 'assistant', content: '' },
        logprobs: null,
        finish_reason: null,
      })
    }
  })

  it('[J89a] is not buffered or compressed', async () => {
    const { headers } = await stream()
    expect(headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
    const zipped = await client.fetch('/chat/completions', {
      body: { ...BODY, stream: true },
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect(zipped.headers.has('content-encoding')).toBe(false)
    await zipped.text()
  })

  it('[J90] has the same envelope in all chunks', async () => {
    const { chunks } = await stream()
    expect(chunks[0]!.id).toMatch(/^chatcmpl-[0-9a-f]{24}$/)
    for (const { choices: _, ...envelope } of chunks) {
      const { id, created } = chunks[0]!
      expect(envelope).toStrictEqual({
        id,
        created,
        object: 'chat.completion.chunk',
        model: FULL,
        system_fingerprint: 'fp_service_local',
      })
    }
    expect(Number.isInteger(chunks[0]!.created)).toBe(true)
  })

  it.each([1, 500])('[J90b] has the text of the whole reply, %i tokens a message', async (tokensPerMessage) => {
    full.plan = { tokens: 2000, tokensPerMessage }
    const { texts, done } = await stream({ temperature: 0 })
    const whole = expectCompletion(await client.post({ ...BODY, temperature: 0 }))
    expect(done).toBe(true)
    expect(texts).toStrictEqual([whole.choices[0]!.message.content])
    expect(checkNumberedText(texts[0]!)).toBe(2000)
  })

  it.each([
    { repeatsFrames: true },
    { sendsStrayFrames: true },
    { sendsUnknowns: true },
    { repeatsFrames: true, sendsStrayFrames: true, sendsUnknowns: true, tokensPerMessage: 7 },
  ])('[K106] is the same if the device does odd things: %j', async (oddities) => {
    full.plan = { tokens: 100, ...oddities }
    const { texts, done, finishes } = await stream({ n: 2 })
    expect({ done, finishes }).toStrictEqual({ done: true, finishes: ['stop', 'stop'] })
    expect(texts.map(checkNumberedText)).toStrictEqual([100, 100])
  })

  it.each([1, 3])('[J91] finishes each of %i choices once', async (n) => {
    const { chunks } = await stream({ n })
    const choices = chunks.flatMap((chunk) => chunk.choices)
    for (let index = 0; index < n; index += 1) {
      const mine = choices.filter((choice) => choice.index === index)
      expect(mine.filter((choice) => choice.finish_reason !== null)).toHaveLength(1)
      expect(mine.at(-1)).toStrictEqual({ index, delta: {}, logprobs: null, finish_reason: 'stop' })
    }
  })

  it('[J92] begins all choices before any text and ends once', async () => {
    const { chunks, events, texts } = await stream({ n: 2 })
    const roles = chunks
      .slice(0, 2)
      .flatMap((chunk) => chunk.choices.map((choice) => [choice.index, choice.delta.role]))
    expect(roles).toStrictEqual([
      [0, 'assistant'],
      [1, 'assistant'],
    ])
    expect(texts).toStrictEqual([numberedText(8), numberedText(8)])
    expect(events.filter((event) => event.kind === 'done')).toHaveLength(1)
  })

  it('[J93] has usage at the end if asked', async () => {
    const { chunks, done } = await stream({ stream_options: { include_usage: true } })
    expect(done).toBe(true)
    for (const chunk of chunks.slice(0, -1)) expect(chunk).toMatchObject({ usage: null })
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 1, completion_tokens: 8, total_tokens: 9 },
    })
    expect(chunks.filter((chunk) => chunk.choices.length === 0)).toHaveLength(1)
  })

  it('[J93a] has no usage if not asked, or if the device did not count', async () => {
    for (const chunk of (await stream()).chunks) {
      expect(Object.keys(chunk)).not.toContain('usage')
      expect(chunk.choices).not.toHaveLength(0)
    }
    full.plan = { usage: 'none' }
    const uncounted = await stream({ stream_options: { include_usage: true } })
    expect(uncounted.done).toBe(true)
    for (const chunk of uncounted.chunks) expect(chunk.choices).not.toHaveLength(0)
  })

  it('[J94] has data lines and blank lines, and ends with [DONE]', async () => {
    const whole = await text()
    expect(whole.endsWith('\n\ndata: [DONE]\n\n')).toBe(true)
    for (const line of whole.split('\n')) expect(line === '' || line.startsWith('data: ')).toBe(true)
    expect(whole).not.toContain('\r')
    expect(whole.split('[DONE]')).toHaveLength(2)
    for (const line of whole.split('\n').filter((each) => each.startsWith('data: {')))
      expect(JSON.parse(line.slice(6))).not.toHaveProperty('error')
  })

  it('[J94a] leaves the connection usable', async () => {
    await using line = await openLine(system.apiOrigin)
    const body = JSON.stringify({ ...BODY, stream: true })
    const headers: [string, string][] = [
      ['authorization', `Bearer ${client.key}`],
      ['content-type', 'application/json'],
      ['content-length', String(body.length)],
    ]
    line.socket.write(requestHead('POST', '/openai/v1/chat/completions', headers) + body)
    await line.heard(/\r\n0\r\n\r\n$/)
    const length = line.received().length
    line.socket.write(requestHead('GET', '/openai/v1/models', [headers[0]!]))
    await line.heard(/"object":"list"/)
    expect(line.received().slice(length)).toMatch(/^HTTP\/1\.1 200/)
  })

  it('[J95] has all calls complete in one chunk', async () => {
    const calls = [
      { id: 'call_a', name: 'f', arguments: '{"a":1}' },
      { id: 'call_b', name: 'f', arguments: '' },
    ]
    full.plan = { text: 'So: ', calls }
    const { chunks } = await stream({ tools: TOOLS, n: 2 })
    for (const index of [0, 1]) {
      const mine = chunks.flatMap((chunk) => chunk.choices).filter((choice) => choice.index === index)
      const at = mine.findIndex((choice) => choice.delta.tool_calls !== undefined)
      expect(mine.filter((choice) => choice.delta.tool_calls !== undefined)).toHaveLength(1)
      expect(mine[at]!.finish_reason).toBeNull()
      const listed = mine[at]!.delta.tool_calls!
      expect(listed.map((call) => [call.index, call.type, call.function.name])).toStrictEqual([
        [0, 'function', 'f'],
        [1, 'function', 'f'],
      ])
      expect(listed.map((call) => call.function.arguments)).toStrictEqual(['{"a":1}', '{}'])
      expect(new Set(listed.map((call) => call.id)).size).toBe(2)
      expect(mine[at + 1]).toMatchObject({ delta: {}, finish_reason: 'tool_calls' })
      expect(mine).toHaveLength(at + 2)
    }
  })
})

describe('failures', () => {
  it.each([
    ['a lost device', { crashAt: 3 }],
    ['a failed engine', { failure: { at: 3 } }],
    ['an engine worth a retry', { failure: { at: 3, retryable: true } }],
    ['a crashed engine', { failure: { at: 3, crashed: true } }],
    [
      'a device that talks nonsense',
      { junk: { at: 3, message: '{"type":"job-delta"}' }, stall: { at: 4, until: new Promise(() => {}) } },
    ],
  ])('[J96] [J96a] end with one bare error after %s', async (_, plan) => {
    await using device = await system.connectDevice({ models: [LONELY], plan })
    const whole = await client.stream({ model: LONELY, messages: HI })
    expect(whole.done).toBe(false)
    expect(whole.error).toMatchObject({ type: 'server_error', code: 'server_error', param: null })
    expect(whole.events.at(-1)).toMatchObject({ kind: 'error', text: expect.stringMatching(/^\{"error":\{/) as string })
    expect(whole.events.filter((event) => event.kind !== 'chunk')).toHaveLength(1)
    expect(whole.finishes).toStrictEqual([undefined])
    expect(whole.texts[0]!.startsWith(numberedText(3))).toBe(true)
    expect(device.jobs).toHaveLength(1)
  })

  it('[J97] are HTTP statuses before the first chunk', async () => {
    full.plan = { failure: {} }
    expectError(await client.post({ ...BODY, stream: true }), { status: 500, code: 'server_error' })
  })

  it('[J98] of the request are HTTP statuses', async () => {
    const answer = await client.post({ ...BODY, stream: true, n: 0 })
    expectError(answer, { status: 400, code: 'integer_below_min_value', param: 'n' })
  })
})

describe('characters', () => {
  it('[J99] [J99a] are never split and end no line', async () => {
    const pieces = ['😀', '漢字', 'a\u2028b\u2029c', '\r\n\n', '"\\', '\u0000', '👩‍👩‍👧', '\u0085', 'data: [DONE]\n\n']
    full.plan = { text: pieces }
    const whole = await stream()
    expect(whole.texts).toStrictEqual([pieces.join('')])
    expect(whole.done).toBe(true)
    const raw = await text()
    for (const line of raw.split(/\n/)) expect(line === '' || line.startsWith('data: ')).toBe(true)
    expect(raw).not.toMatch(/[\r\u2028\u2029\u0085]/)
  })

  it('[J99] stay whole even if a device splits a surrogate pair', async () => {
    full.plan = { text: ['a\uD83D', '\uDE00b'] }
    const whole = await stream()
    expect(whole.texts).toStrictEqual(['a😀b'])
  })
})

describe('pauses', () => {
  it('[J100] without text are filled with empty deltas and nothing else', async () => {
    const goOn = Promise.withResolvers<void>()
    full.plan = { stall: { at: 2, until: goOn.promise } }
    const { events } = await client.openStream({ ...BODY, stream_options: { include_usage: true } })
    const seen: StreamEvent[] = []
    for await (const event of events) {
      seen.push(event)
      if (countHeartbeats(seen) === 3) goOn.resolve()
    }
    const { texts, done, finishes, chunks } = summarize(seen)
    expect(countHeartbeats(seen)).toBeGreaterThanOrEqual(3)
    expect({ texts, done, finishes }).toStrictEqual({ texts: [numberedText(8)], done: true, finishes: ['stop'] })
    for (const chunk of chunks.slice(0, -1))
      expect(chunk).toMatchObject({ object: 'chat.completion.chunk', id: chunks[0]!.id, usage: null })
  })

  function countHeartbeats(events: readonly StreamEvent[]): number {
    const beats = events.filter(
      (event) =>
        event.kind === 'chunk' &&
        event.chunk.choices[0]?.delta.content === '' &&
        event.chunk.choices[0].delta.role === undefined,
    )
    for (const beat of beats)
      expect(beat).toMatchObject({
        chunk: { choices: [{ index: 0, delta: { content: '' }, logprobs: null, finish_reason: null }] },
      })
    return beats.length
  }

  it('[J101] slow the device down if the client reads slowly, without losing text', async () => {
    const tokens = 900
    const block = 'x'.repeat(64 * 1024)
    full.plan = { text: Array.from({ length: tokens }, (_, index) => `${index}:${block};`) }
    const { events } = await client.openStream(BODY)
    const job = await full.job(full.jobs.length - 1)
    await full.until('the device is asked to pause', () => job.pauses > 0)
    // The gateway can't hold what it never got. A good part of this is in the buffers of sockets.
    expect(job.sent).toBeLessThan(tokens / 2)
    const { texts, done, error } = await readWholeStream(events)
    expect({ done, error }).toStrictEqual({ done: true, error: undefined })
    expect(
      texts[0]!
        .split(';')
        .slice(0, -1)
        .map((each) => Number(each.split(':')[0])),
    ).toStrictEqual(Array.from({ length: tokens }, (_, index) => index))
  })

  it('[H83a] stop the device if the client leaves', async () => {
    full.plan = { text: Array.from({ length: 1000 }, () => 'x'.repeat(64 * 1024)) }
    const leaving = new AbortController()
    const { events } = await client.openStream(BODY, { signal: leaving.signal })
    await events.next()
    const job = full.jobs.at(-1)!
    leaving.abort()
    await full.until('the job was cancelled', () => job.state === 'cancelled')
    expect(job.cancels).toStrictEqual(['client-gone'])
  })
})
