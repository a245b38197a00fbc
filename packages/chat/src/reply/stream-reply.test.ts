import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JobHandle } from './reply.ts'
import { MemoryOutlet } from '../testing/memory-outlet.ts'
import { BEATS_PER_INTERVAL, Heartbeats } from './heartbeats.ts'
import { shapeOf } from '../prepare-chat.ts'
import { readChatRequest } from '../read-chat-request.ts'
import { StreamReply } from './stream-reply.ts'

interface Chunk {
  id: string
  choices: { index: number; delta: Record<string, unknown>; logprobs: unknown; finish_reason: string | null }[]
  usage?: unknown
}

const heartbeats = new Heartbeats(60_000)
afterEach(() => vi.useRealTimers())

function start(fields: Record<string, unknown> = {}) {
  const outlet = new MemoryOutlet()
  const chat = readChatRequest(
    { model: 'a/b:c', messages: [{ role: 'user', content: 'hi' }], stream: true, ...fields },
    { maxMessages: 10, maxTools: 10 },
  )
  const releaseRequest = vi.fn<() => void>()
  const reply = new StreamReply({
    id: 'chatcmpl-1',
    created: 7,
    shape: shapeOf(chat),
    outlet,
    heartbeats,
    stallMs: 60_000,
    releaseRequest,
  })
  const handle = {
    cancel: vi.fn<JobHandle['cancel']>(),
    giveUp: vi.fn<JobHandle['giveUp']>(),
    pause: vi.fn<() => void>(),
    resume: vi.fn<() => void>(),
  }
  reply.attach(handle)
  return { outlet, reply, handle, releaseRequest }
}

/** A stream that has begun, whose client does not read. */
async function startUnread(unread: Partial<MemoryOutlet> = {}) {
  const started = start()
  Object.assign(started.outlet, { readsFast: false, ...unread })
  started.reply.text(0, 'x', undefined)
  await Promise.resolve()
  return started
}

function chunks(outlet: MemoryOutlet): Chunk[] {
  return outlet.events.filter((event) => event !== '[DONE]').map((event) => JSON.parse(event) as Chunk)
}

function contentsOf(outlet: MemoryOutlet): unknown[] {
  return chunks(outlet).map(({ choices }) => choices[0]!.delta['content'] ?? '')
}

describe('a streamed reply', () => {
  it('[J89] begins with the role of every choice, and sends nothing before the first event', async () => {
    const { outlet, reply } = start({ n: 2 })
    expect(outlet.status).toBe(0)
    reply.text(1, 'x', undefined)
    await Promise.resolve()
    const roles = chunks(outlet).slice(0, 2)
    expect(roles.map(({ choices }) => [choices[0]!.index, choices[0]!.delta, choices[0]!.finish_reason])).toEqual([
      [0, { role: 'assistant', content: '' }, null],
      [1, { role: 'assistant', content: '' }, null],
    ])
  })

  it('[H82i] [H82j] says with its first byte how it got to its device', () => {
    const { outlet, reply } = start()
    reply.placed({ device: 'd1', waitMs: 12.3, attempts: 2 })
    reply.text(0, 'x', undefined)
    expect(outlet.headers).toEqual({ 'x-hearth-queue-ms': '12', 'x-hearth-device': 'd1', 'x-hearth-attempts': '2' })
  })

  it('lets go of its request at the first event', () => {
    const { reply, releaseRequest } = start()
    expect(releaseRequest).not.toHaveBeenCalled()
    reply.text(0, 'x', undefined)
    reply.text(0, 'y', undefined)
    reply.end(['stop'], undefined)
    expect(releaseRequest).toHaveBeenCalledOnce()
  })

  it('[J90] gives every chunk the same envelope', () => {
    const { outlet, reply } = start()
    reply.text(0, 'x', undefined)
    reply.end(['stop'], undefined)
    const envelopes = chunks(outlet).map(({ choices: _choices, ...envelope }) => JSON.stringify(envelope))
    expect(new Set(envelopes)).toEqual(
      new Set([
        '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":7,"model":"a/b:c","system_fingerprint":"fp_service_local"}',
      ]),
    )
  })

  it('[J91] ends every choice once, with an empty delta, and then [DONE]', () => {
    const { outlet, reply } = start({ n: 2 })
    reply.text(0, 'x', undefined)
    reply.end(['stop', 'length'], undefined)
    expect(
      chunks(outlet)
        .slice(-2)
        .map(({ choices }) => choices[0]),
    ).toEqual([
      { index: 0, delta: {}, logprobs: null, finish_reason: 'stop' },
      { index: 1, delta: {}, logprobs: null, finish_reason: 'length' },
    ])
    expect(outlet.events.at(-1)).toBe('[DONE]')
    expect(outlet.isOver).toBe(true)
  })

  it('[J93] sends usage in its own chunk if asked, and null before', () => {
    const { outlet, reply } = start({ stream_options: { include_usage: true } })
    reply.text(0, 'x', undefined)
    reply.end(['stop'], { promptTokens: 3, completionTokens: 4 })
    const all = chunks(outlet)
    expect(all.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
    expect(all.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    })
  })

  it('[J93a] sends no usage if not asked', () => {
    const { outlet, reply } = start()
    reply.end(['stop'], { promptTokens: 3, completionTokens: 4 })
    expect(outlet.body).not.toContain('usage')
  })

  it('[J95] sends all calls of a choice complete in one chunk', () => {
    const { outlet, reply } = start({ tools: [{ type: 'function', function: { name: 'f' } }] })
    reply.toolCalls(0, [
      { id: 'call_1', name: 'f', arguments: '{"a":1}' },
      { id: 'call_2', name: 'f', arguments: '{}' },
    ])
    reply.end(['tool_calls'], undefined)
    expect(chunks(outlet)[1]!.choices[0]!.delta).toEqual({
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
        { index: 1, id: 'call_2', type: 'function', function: { name: 'f', arguments: '{}' } },
      ],
    })
  })

  it('[F67a] repeats the first call only for a request that used functions', () => {
    const { outlet, reply } = start({ functions: [{ name: 'f' }] })
    reply.toolCalls(0, [{ id: 'call_1', name: 'f', arguments: '{}' }])
    reply.end(['tool_calls'], undefined)
    expect(chunks(outlet)[1]!.choices[0]!.delta['function_call']).toEqual({ name: 'f', arguments: '{}' })
  })

  it('[J96] ends with a bare error and without [DONE] once it has begun', () => {
    const { outlet, reply } = start()
    reply.text(0, 'x', undefined)
    reply.fail({ kind: 'device-lost' })
    expect(outlet.body).toMatch(/\n\ndata: \{"error":\{[^\n]*"code":"server_error"\}\}\n\n$/)
    expect(outlet.isOver).toBe(true)
  })

  it('[J97] fails with a status if nothing has been sent', () => {
    const { outlet, reply } = start()
    reply.fail({ kind: 'no-device' })
    expect(outlet.status).toBe(503)
    expect(JSON.parse(outlet.body)).toMatchObject({ error: { code: 'model_unavailable', type: 'server_error' } })
    expect(outlet.headers['retry-after']).toBe('5')
  })

  it.each([
    [undefined, '5'],
    [1, '1'],
    [12_001, '13'],
    [3_600_000, '59'],
  ])('[H82k] says when it is worth trying again: after %s ms', (retryMs, seconds) => {
    for (const outcome of [{ kind: 'no-device' } as const, { kind: 'queue-full', scope: 'key' } as const]) {
      const { outlet, reply } = start()
      reply.fail({ ...outcome, retryMs })
      expect(outlet.headers['retry-after']).toBe(seconds)
    }
  })

  it('[J99] [J99a] never splits a character between events, and escapes what some clients read as line breaks', () => {
    const { outlet, reply } = start()
    reply.text(0, 'a\ud83d', undefined)
    reply.text(0, '\ude00b\u2028c\n', undefined)
    reply.end(['stop'], undefined)
    expect(contentsOf(outlet)).toEqual(['', 'a', '😀b\u2028c\n', ''])
    expect(outlet.body).not.toContain('\u2028')
  })

  it('writes once for all tokens of a tick', async () => {
    const { outlet, reply } = start()
    for (const token of ['a', 'b', 'c']) reply.text(0, token, undefined)
    expect(outlet.writes).toBe(0)
    await Promise.resolve()
    expect(outlet.writes).toBe(1)
  })

  it('[J100] keeps a silent stream alive with an empty delta', async () => {
    const add = vi.spyOn(heartbeats, 'add')
    const { outlet, reply } = start()
    reply.text(0, 'x', undefined)
    await Promise.resolve()
    for (let beat = 0; beat < BEATS_PER_INTERVAL; beat++) add.mock.lastCall?.[0].beat()
    expect(chunks(outlet).at(-1)!.choices).toEqual([
      { index: 0, delta: { content: '' }, logprobs: null, finish_reason: null },
    ])
  })

  it('[J101] pauses the job while the client does not read', async () => {
    const { outlet, handle } = await startUnread()
    expect(handle.pause).toHaveBeenCalledOnce()
    expect(handle.resume).not.toHaveBeenCalled()
    outlet.drain()
    expect(handle.resume).toHaveBeenCalledOnce()
  })

  it('[J101a] disconnects a client that does not read for too long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { outlet, handle } = await startUnread()
    vi.advanceTimersByTime(60_000)
    expect(handle.cancel).toHaveBeenCalledWith('client-stalled')
    expect(outlet.isDestroyed).toBe(true)
  })

  it.each([
    ['a device ignores the pause', { bufferedBytes: 9 * 1024 * 1024 }],
    ['there is no memory for what the client does not read', { hasRoom: false }],
  ])('[J101] [J101b] disconnects at once if %s', async (_, unread) => {
    const { outlet, handle } = await startUnread(unread)
    expect(handle.cancel).toHaveBeenCalledWith('client-stalled')
    expect(outlet.isDestroyed).toBe(true)
  })

  it('[J99] does not lose half a character at the end', () => {
    const { outlet, reply } = start()
    reply.text(0, 'a\ud83d', undefined)
    reply.end(['stop'], undefined)
    expect(contentsOf(outlet)).toEqual(['', 'a', '\ud83d', ''])
  })

  it('[F68] carries the log probabilities of each delta', () => {
    const { outlet, reply } = start({ logprobs: true })
    reply.text(0, 'x', [{ token: 'x', logprob: -Infinity, bytes: [120], top: [] }])
    reply.end(['stop'], undefined)
    expect(chunks(outlet)[1]!.choices[0]!.logprobs).toEqual({
      content: [{ token: 'x', logprob: -9999, bytes: [120], top_logprobs: [] }],
      refusal: null,
    })
  })
})
