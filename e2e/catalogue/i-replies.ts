import { checkNumberedText, numberedText } from '@hearth/gateway/testing'
import { describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { openLine, requestHead } from '../harness/client/raw-http.ts'
import { readWholeStream } from '../harness/client/read-stream.ts'
import { FULL, HI, LONELY } from '../harness/start-system.ts'
import { system } from './shared-system.ts'

const { client, full } = system

const TOOLS = [{ type: 'function', function: { name: 'f' } }]
const BODY = { model: FULL, messages: HI }

async function stream(fields: object = {}) {
  return client.stream({ ...BODY, ...fields })
}

/** The stream as it is sent. */
async function text(fields: object = {}): Promise<string> {
  return (await client.call('/chat/completions', { body: { ...BODY, stream: true, ...fields } })).text
}

describe('a stream', () => {
  it('[J89] [J89b] [J90] [J91] [J92] [J93] has the chunks of the interface, in their order', async () => {
    const { headers, events } = await client.openStream({ ...BODY, n: 2, stream_options: { include_usage: true } })
    expect(headers.get('content-type')).toMatch(/^text\/event-stream; *charset=utf-8$/i)
    const { chunks, texts, events: all } = await readWholeStream(events)
    const { id, created } = chunks[0]!
    expect([id, Number.isInteger(created)]).toStrictEqual([expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/), true])
    const same = { id, created, object: 'chat.completion.chunk', model: FULL, system_fingerprint: 'fp_service_local' }
    for (const { choices: _, usage: __, ...envelope } of chunks) expect(envelope).toStrictEqual(same)
    const choices = chunks.flatMap((chunk) => chunk.choices)
    const role = { delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }
    expect(choices.slice(0, 2)).toStrictEqual([
      { index: 0, ...role },
      { index: 1, ...role },
    ])
    for (const index of [0, 1]) {
      const mine = choices.filter((choice) => choice.index === index)
      expect(mine.filter((choice) => choice.finish_reason !== null)).toHaveLength(1)
      expect(mine.at(-1)).toStrictEqual({ index, delta: {}, logprobs: null, finish_reason: 'stop' })
    }
    expect(texts).toStrictEqual([numberedText(8), numberedText(8)])
    for (const chunk of chunks.slice(0, -1)) expect(chunk).toMatchObject({ usage: null })
    const usage = { prompt_tokens: 1, completion_tokens: 8, total_tokens: 9 }
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage })
    expect(chunks.filter((chunk) => chunk.choices.length === 0)).toHaveLength(1)
    expect(all.filter((event) => event.kind === 'done')).toHaveLength(1)
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

  it.each([1, 500])('[J90b] has the text of the whole reply, %i tokens a message', async (tokensPerMessage) => {
    full.plan = { tokens: 2000, tokensPerMessage }
    const { texts, done } = await stream({ temperature: 0 })
    const whole = expectCompletion(await client.post({ ...BODY, temperature: 0 }))
    expect(done).toBe(true)
    expect(texts).toStrictEqual([whole.choices[0]!.message.content])
    expect(checkNumberedText(texts[0]!)).toBe(2000)
  })

  it('is the same if the device does odd things', async () => {
    full.plan = { tokens: 100, repeatsFrames: true, sendsStrayFrames: true, sendsUnknowns: true, tokensPerMessage: 7 }
    const { texts, done, finishes } = await stream({ n: 2 })
    expect({ done, finishes }).toStrictEqual({ done: true, finishes: ['stop', 'stop'] })
    expect(texts.map(checkNumberedText)).toStrictEqual([100, 100])
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

  it('[J98] of the request are HTTP statuses', async () => {
    const answer = await client.post({ ...BODY, stream: true, n: 0 })
    expectError(answer, { status: 400, code: 'integer_below_min_value', param: 'n' })
  })
})

async function accepted(fields: object = {}) {
  return expectCompletion(await system.chat(fields))
}

describe('a whole reply', () => {
  it('[I86b] has its own id', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, async () => accepted()))
    expect(new Set(replies.map((reply) => reply.id)).size).toBe(20)
  })

  it.each([1, 2, 8])('[I86a] has %i choices in order', async (n) => {
    const { choices } = await accepted({ n })
    expect(choices.map((choice) => choice.index)).toStrictEqual(Array.from({ length: n }, (_, index) => index))
    for (const choice of choices)
      expect(Object.keys(choice).toSorted()).toStrictEqual(['finish_reason', 'index', 'logprobs', 'message'])
  })

  it('[I87] has a message of exactly three fields', async () => {
    const [choice] = (await accepted({ tools: TOOLS })).choices
    expect(Object.keys(choice!.message).toSorted()).toStrictEqual(['content', 'refusal', 'role'])
    expect(choice!.message).toMatchObject({ role: 'assistant', refusal: null })
  })

  it('[I87] has a string as content even if there is none', async () => {
    full.plan = { text: [] }
    expect((await accepted()).choices[0]!.message.content).toBe('')
    full.plan = { calls: 'first-tool' }
    const [choice] = (await accepted({ tools: TOOLS })).choices
    expect(Object.keys(choice!.message).toSorted()).toStrictEqual(['content', 'refusal', 'role', 'tool_calls'])
    expect(choice!.message.content).toBe('')
  })

  it('[I87a] [I87c] has calls with different ids and arguments as text', async () => {
    const call = { id: '', name: 'f', arguments: '' }
    full.plan = {
      calls: [call, { ...call, arguments: '{"a":1}' }, { ...call, id: 'call_x' }, { ...call, id: 'call_x' }],
    }
    const calls = (await accepted({ tools: TOOLS })).choices[0]!.message.tool_calls!
    expect(calls).toHaveLength(4)
    for (const each of calls) {
      expect(Object.keys(each).toSorted()).toStrictEqual(['function', 'id', 'type'])
      expect(each.type).toBe('function')
      expect(Object.keys(each.function).toSorted()).toStrictEqual(['arguments', 'name'])
      expect(each.id).toMatch(/^call_\w+$/)
      expect(JSON.parse(each.function.arguments)).toBeTypeOf('object')
    }
    expect(calls[1]!.function.arguments).toBe('{"a":1}')
    expect(new Set(calls.map((each) => each.id)).size).toBe(4)
  })

  it('[F63a] keeps text beside calls', async () => {
    full.plan = { text: 'Let me look.', calls: 'first-tool' }
    const [choice] = (await accepted({ tools: TOOLS })).choices
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'Let me look.' } })
  })

  it.each(['stop', 'length', 'tool_calls', 'content_filter', 'eos', ''])(
    '[I87b] maps the finish reason "%s" to one of three',
    async (finish) => {
      full.plan = { finish: finish as 'stop' }
      const { finish_reason } = (await accepted()).choices[0]!
      expect(['stop', 'length', 'tool_calls']).toContain(finish_reason)
      if (finish === 'length') expect(finish_reason).toBe('length')
    },
  )

  it('[I87b] says length if calls were cut off', async () => {
    full.plan = { calls: 'first-tool', finish: 'length' }
    expect((await accepted({ tools: TOOLS })).choices[0]!.finish_reason).toBe('length')
  })

  it('[I88] has the tokens that the device counted', async () => {
    full.plan = { usage: { promptTokens: 11, completionTokens: 31 } }
    expect((await accepted()).usage).toStrictEqual({ prompt_tokens: 11, completion_tokens: 31, total_tokens: 42 })
  })

  it('[I88] has details only if the device reports them', async () => {
    full.plan = { usage: { promptTokens: 11, completionTokens: 31, ownCachedTokens: 4, reasoningTokens: 9 } }
    expect((await accepted()).usage).toStrictEqual({
      prompt_tokens: 11,
      completion_tokens: 31,
      total_tokens: 42,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 9 },
    })
  })

  it('[I88b] does not tell a key about prompts of others: a count that covers them is left out', async () => {
    full.plan = { usage: { promptTokens: 11, completionTokens: 31, cachedTokens: 8, ownCachedTokens: 0 } }
    expect((await accepted()).usage).toMatchObject({ prompt_tokens_details: { cached_tokens: 0 } })
    full.plan = { usage: { promptTokens: 11, completionTokens: 31, cachedTokens: 8 } }
    expect((await accepted()).usage).not.toHaveProperty('prompt_tokens_details')
  })
})
