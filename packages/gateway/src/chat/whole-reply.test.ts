import { describe, expect, it, vi } from 'vitest'
import { MemoryOutlet } from '../testing/memory-outlet.ts'
import { shapeOf } from './prepare-chat.ts'
import { readChatRequest } from './read-chat-request.ts'
import { WholeReply } from './whole-reply.ts'

function start(fields: Record<string, unknown> = {}) {
  const outlet = new MemoryOutlet()
  const chat = readChatRequest(
    { model: 'a/b:c', messages: [{ role: 'user', content: 'hi' }], ...fields },
    { maxMessages: 10, maxTools: 10 },
  )
  const releaseRequest = vi.fn<() => void>()
  const reply = new WholeReply({ id: 'chatcmpl-1', created: 7, shape: shapeOf(chat), outlet, releaseRequest })
  return { outlet, reply, releaseRequest }
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

  it('[H82g] lets go of its request at its end, and not before', () => {
    const ended = start()
    ended.reply.text(0, 'x', undefined)
    expect(ended.releaseRequest).not.toHaveBeenCalled()
    ended.reply.end(['stop'], undefined)
    expect(ended.releaseRequest).toHaveBeenCalledOnce()
    const failed = start()
    failed.reply.fail({ kind: 'no-device' })
    expect(failed.releaseRequest).toHaveBeenCalledOnce()
  })

  it('[I88a] has no usage if the device reported none', () => {
    const { outlet, reply } = start()
    reply.end(['stop'], undefined)
    expect(outlet.body).not.toContain('usage')
  })

  it('[F63] has tool calls beside empty content', () => {
    const { outlet, reply } = start({ functions: [{ name: 'f' }] })
    reply.toolCalls(0, [{ id: 'call_1', name: 'f', arguments: '{}' }])
    reply.end(['tool_calls'], undefined)
    expect(JSON.parse(outlet.body)).toMatchObject({
      choices: [
        {
          message: {
            content: '',
            tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
            function_call: { name: 'f', arguments: '{}' },
          },
          finish_reason: 'tool_calls',
        },
      ],
    })
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
