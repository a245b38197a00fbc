import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { ByteBudget } from '../budget/byte-budget.ts'
import type { JobHandle } from './reply.ts'
import { MemoryOutlet } from '../testing/memory-outlet.ts'
import { shapeOf } from '../prepare-chat.ts'
import { readChatRequest } from '../read-chat-request.ts'
import { WholeReply } from './whole-reply.ts'

function start(fields: Record<string, unknown> = {}) {
  const outlet = new MemoryOutlet()
  const chat = readChatRequest(
    { model: 'a/b:c', messages: [{ role: 'user', content: 'hi' }], ...fields },
    { maxMessages: 10, maxTools: 10 },
  )
  const releaseRequest = vi.fn<() => void>()
  const budget = new ByteBudget(300 * 1024)
  const reservation = budget.open({ organization: 'o', key: 'k' })
  const reply = new WholeReply({
    id: 'chatcmpl-1',
    created: 7,
    shape: shapeOf(chat),
    outlet,
    reservation,
    releaseRequest,
  })
  const giveUp = vi.fn<JobHandle['giveUp']>()
  const handle = { cancel: () => {}, giveUp, pause: () => {}, resume: () => {} }
  return { outlet, reply, releaseRequest, budget, handle }
}

describe('a whole reply', () => {
  it('[I86] has exactly the fields of a completion', () => {
    const { outlet, reply } = start()
    reply.text(0, 'Hel', undefined)
    reply.text(0, 'lo', undefined)
    reply.end(['stop'], { promptTokens: 1, completionTokens: 2 })
    expect(JSON.parse(outlet.body)).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 7,
      model: 'a/b:c',
      system_fingerprint: 'fp_service_local',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    })
  })

  it.each<[string, Record<string, unknown>, (reply: WholeReply) => void]>([
    ['its text', {}, (reply) => reply.text(0, 'é', undefined)],
    ['its model', { model: 'größe' }, (reply) => reply.text(0, 'e', undefined)],
    ['a tool call', {}, (reply) => reply.toolCalls(0, [{ id: '1', name: 'é', arguments: '{}' }])],
    ['a citation', {}, (reply) => reply.annotations(0, [{ url: 'é', title: '', start: 0, end: 0 }])],
    ['a token', { logprobs: true }, (reply) => reply.text(0, 'e', [{ token: 'é', logprob: 0, bytes: [], top: [] }])],
  ])('[I86] keeps special characters in %s', (_where, fields, send) => {
    const { outlet, reply } = start(fields)
    send(reply)
    reply.text(0, 'after', undefined)
    reply.end(['stop'], undefined)
    expect(outlet.body).toMatch(/[éö]/)
  })

  it('[H82i] [H82j] says how long it waited, also if no device took it', () => {
    const { outlet, reply } = start()
    reply.placed({ device: undefined, waitMs: 120_000, attempts: 0 })
    reply.fail({ kind: 'no-device' })
    expect(outlet.headers).toMatchObject({ 'x-hearth-queue-ms': '120000', 'x-hearth-attempts': '0' })
    expect(outlet.headers).not.toHaveProperty('x-hearth-device')
  })

  it('lets go of its request at its end, and not before', () => {
    const ended = start()
    ended.reply.text(0, 'x', undefined)
    expect(ended.releaseRequest).not.toHaveBeenCalled()
    ended.reply.end(['stop'], undefined)
    expect(ended.releaseRequest).toHaveBeenCalledOnce()
    const failed = start()
    failed.reply.fail({ kind: 'no-device' })
    expect(failed.releaseRequest).toHaveBeenCalledOnce()
  })

  it('[I86c] takes up memory of its key while it is collected, whatever it consists of', () => {
    const { reply, budget } = start({ logprobs: true })
    const sizes = [
      () => reply.text(0, 'x'.repeat(10_000), undefined),
      () => reply.text(0, '', [{ token: 'x'.repeat(4_000), logprob: -1, bytes: [], top: [] }]),
      () => reply.toolCalls(0, [{ id: 'i', name: 'f', arguments: 'x'.repeat(10_000) }]),
      () => reply.annotations(0, [{ url: 'u', title: 'x'.repeat(8_000), start: 0, end: 1 }]),
    ].map((add) => {
      const before = budget.usedBytes
      add()
      return budget.usedBytes - before
    })
    for (const size of sizes) expect(size).toBeGreaterThan(8_000)
    reply.restart()
    expect(budget.usedBytes).toBe(0)
  })

  it.each<[string, (reply: WholeReply) => void]>([
    ['its end', (reply) => reply.end(['stop'], undefined)],
    ['its failure', (reply) => reply.fail({ kind: 'no-device' })],
    ['its client left', (reply) => reply.abandon()],
  ])('[I86c] takes up no memory of its own after %s', (_what, finish) => {
    const { reply, budget } = start()
    reply.text(0, 'x'.repeat(10_000), undefined)
    finish(reply)
    expect(budget.usedBytes).toBe(0)
  })

  it('[I86c] ends with an error when there is no memory for it', () => {
    const { reply, handle, outlet } = start()
    reply.attach(handle)
    for (let count = 0; count < 5; count++) reply.text(0, 'x'.repeat(10_000), undefined)
    expect(handle.giveUp).not.toHaveBeenCalled()
    reply.text(0, 'x'.repeat(10_000), undefined)
    expect(handle.giveUp).toHaveBeenCalledExactlyOnceWith('key')
    reply.fail({ kind: 'out-of-memory', full: 'key' })
    expect(outlet.status).toBe(429)
    expect(outlet.headers).toMatchObject({ 'retry-after': '5' })
  })

  it('[I86c] ends with an error even if the memory was used up before the job had a handle', () => {
    const { reply, handle } = start()
    reply.text(0, 'x'.repeat(100_000), undefined)
    reply.attach(handle)
    expect(handle.giveUp).toHaveBeenCalledExactlyOnceWith('key')
  })

  it('[I87] keeps any text exactly, however it is split', () => {
    const split = fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 })
    fc.assert(
      fc.property(split, (pieces) => {
        const { outlet, reply } = start()
        for (const piece of pieces) reply.text(0, piece, undefined)
        for (const half of '😀'.split('')) reply.text(0, half, undefined)
        reply.end(['stop'], undefined)
        expect(JSON.parse(outlet.body)).toMatchObject({ choices: [{ message: { content: `${pieces.join('')}😀` } }] })
      }),
      { numRuns: 30 },
    )
  })

  it('[F63] has all calls and citations that came, and mirrors the first call', () => {
    const { outlet, reply } = start({ functions: [{ name: 'f' }] })
    reply.annotations(0, [])
    for (const name of ['f', 'g']) {
      reply.toolCalls(0, [{ id: 'same', name, arguments: '{"a":"b"}' }])
      reply.annotations(0, [{ url: name, title: 't', start: 0, end: 1 }])
    }
    reply.end(['tool_calls'], undefined)
    const { message } = (JSON.parse(outlet.body) as { choices: { message: Record<string, unknown> }[] }).choices[0]!
    expect(message['content']).toBe('')
    expect(message['annotations']).toMatchObject([{ url_citation: { url: 'f' } }, { url_citation: { url: 'g' } }])
    expect(message['tool_calls']).toMatchObject([
      { id: 'same', function: { name: 'f' } },
      { id: expect.not.stringMatching(/^same$/) as string, function: { name: 'g', arguments: '{"a":"b"}' } },
    ])
    expect(message['function_call']).toEqual({ name: 'f', arguments: '{"a":"b"}' })
  })

  it('[I88a] has no usage if the device reported none', () => {
    const { outlet, reply } = start()
    reply.end(['stop'], undefined)
    expect(outlet.body).not.toContain('usage')
  })

  it('[H84b] forgets what a lost device sent when the job runs again', () => {
    const { outlet, reply } = start()
    reply.text(0, 'lost', undefined)
    reply.restart()
    reply.text(0, 'kept', undefined)
    reply.end(['stop'], undefined)
    expect(outlet.body).toContain('"content":"kept"')
  })

  it('[F68] [F68a] has log probabilities only if asked', () => {
    const { outlet, reply } = start({ logprobs: true, n: 2 })
    reply.text(1, 'x', [{ token: 'x', logprob: -0.5, bytes: [120], top: [{ token: 'y', logprob: -1, bytes: [121] }] }])
    reply.end(['stop', 'stop'], undefined)
    expect(JSON.parse(outlet.body)).toMatchObject({
      choices: [
        { logprobs: { content: [] } },
        {
          logprobs: {
            content: [
              { token: 'x', logprob: -0.5, bytes: [120], top_logprobs: [{ token: 'y', logprob: -1, bytes: [121] }] },
            ],
            refusal: null,
          },
        },
      ],
    })
  })

  it('[F55] names every field the devices lack, the first one as param', () => {
    const { outlet, reply } = start({ n: 2, logprobs: true })
    reply.fail({ kind: 'unsupported', missing: ['n', 'logprobs'] })
    expect(outlet.status).toBe(400)
    expect(JSON.parse(outlet.body)).toMatchObject({
      error: { code: 'unsupported_by_node', param: 'n', message: expect.stringContaining(`'n', 'logprobs'`) as string },
    })
  })
})
