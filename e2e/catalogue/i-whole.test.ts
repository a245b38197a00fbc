import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectCompletion } from '../harness/expect-reply.ts'
import { FULL, HI, startSystem } from '../harness/start-system.ts'

const system = await startSystem()
afterAll(async () => system[Symbol.asyncDispose]())
const { full } = system

beforeEach(() => {
  full.plan = {}
})

const TOOLS = [{ type: 'function', function: { name: 'f' } }]

async function accepted(fields: object = {}) {
  return expectCompletion(await system.chat(fields))
}

describe('a whole reply', () => {
  it('[I86] has the fields of the interface and no others', async () => {
    const before = Math.floor(Date.now() / 1000)
    const reply = await accepted()
    expect(Object.keys(reply).toSorted()).toStrictEqual([
      'choices',
      'created',
      'id',
      'model',
      'object',
      'system_fingerprint',
      'usage',
    ])
    expect(reply.id).toMatch(/^chatcmpl-[0-9a-f]{24}$/)
    expect(reply).toMatchObject({ object: 'chat.completion', model: FULL, system_fingerprint: 'fp_service_local' })
    expect(Number.isInteger(reply.created)).toBe(true)
    expect(reply.created).toBeGreaterThanOrEqual(before)
    expect(reply.created).toBeLessThanOrEqual(Date.now() / 1000)
  })

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

  it('[I88a] has no usage if the device did not count', async () => {
    full.plan = { usage: 'none' }
    expect(Object.keys(await accepted())).not.toContain('usage')
  })

  it('[K106] is the same if frames are repeated, stray or unknown', async () => {
    for (const plan of [
      { repeatsFrames: true },
      { sendsStrayFrames: true },
      { sendsUnknowns: true },
      { tokensPerMessage: 5 },
    ]) {
      full.plan = { tokens: 40, ...plan }
      const { choices, usage } = await accepted({ n: 2, messages: HI })
      full.plan = { tokens: 40 }
      const plain = await accepted({ n: 2, messages: HI })
      expect({ choices, usage }).toStrictEqual({ choices: plain.choices, usage: plain.usage })
    }
  })
})
