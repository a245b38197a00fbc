import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { FULL, HI, lastJob, PLAIN, startSystem } from '../harness/start-system.ts'

const system = await startSystem()
afterAll(async () => system[Symbol.asyncDispose]())
const { client } = system

beforeEach(() => {
  system.full.plan = {}
})

async function say(messages: unknown, model = FULL) {
  return client.post({ model, messages })
}

/** The messages as the device got them. */
async function heard(messages: unknown): Promise<unknown> {
  expectCompletion(await say(messages))
  return lastJob(system.full).messages
}

const CALL = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
const JOB_CALL = { id: 'call_1', name: 'f', arguments: '{"a":1}' }

describe('roles', () => {
  it.each(['system', 'user', 'assistant'])('[D31] accepts %s', async (role) => {
    expect(await heard([{ role, content: 'hello' }])).toStrictEqual([{ role, content: 'hello' }])
  })

  it('[D31a] treats developer as system', async () => {
    const asSystem = await heard([{ role: 'system', content: 'be brief' }, ...HI])
    const asDeveloper = await heard([{ role: 'developer', content: 'be brief' }, ...HI])
    expect(asDeveloper).toStrictEqual(asSystem)
  })

  it('[D31b] sends names to the device', async () => {
    expect(await heard([{ role: 'user', name: 'ada', content: 'hi' }])).toStrictEqual([
      { role: 'user', name: 'ada', content: 'hi' },
    ])
  })

  it.each([
    [{ content: 'x' }, 'missing_required_parameter'],
    [{ role: null, content: 'x' }, 'missing_required_parameter'],
    [{ role: 'bot', content: 'x' }, 'invalid_value'],
    [{ role: '', content: 'x' }, 'invalid_value'],
    [{ role: 'User', content: 'x' }, 'invalid_value'],
    [{ role: 5, content: 'x' }, 'invalid_type'],
  ])('[D32] rejects the role of %j', async (message, code) => {
    expectError(await say([message]), { status: 400, code, param: 'messages[0].role' })
    expectError(await say([...HI, message]), { status: 400, code, param: 'messages[1].role' })
  })

  it('[D32] lists the known roles', async () => {
    const error = expectError(await say([{ role: 'bot', content: 'x' }]), { status: 400, code: 'invalid_value' })
    for (const role of ['system', 'developer', 'user', 'assistant', 'tool', 'function'])
      expect(error.message).toContain(`'${role}'`)
  })

  it.each([
    ['only system messages', ['system', 'system']],
    ['an assistant at the end', ['user', 'assistant']],
    ['the same role twice', ['user', 'user', 'assistant', 'assistant']],
    ['a late system message', ['user', 'system', 'user']],
  ])('[D44] accepts %s', async (_, roles) => {
    const messages = roles.map((role) => ({ role, content: role }))
    expect(await heard(messages)).toStrictEqual(messages)
  })
})

describe('content', () => {
  const parts = [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ]

  it.each(['system', 'developer', 'user', 'assistant'])('[D33] joins the text parts of %s', async (role) => {
    expect(await heard([{ role, content: parts }])).toStrictEqual(await heard([{ role, content: 'ab' }]))
  })

  it('[D33] joins the text parts of tool results', async () => {
    const history = (content: unknown) => [
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'call_1', content },
    ]
    expect(await heard(history(parts))).toStrictEqual(await heard(history('ab')))
    expect(lastJob(system.full).messages[1]).toMatchObject({ role: 'tool', content: 'ab', toolCallId: 'call_1' })
  })

  it.each([[''], [[]]])('[D34] reads %j as empty text', async (content) => {
    for (const role of ['system', 'user', 'assistant'])
      expect(await heard([{ role, content }])).toStrictEqual([{ role, content: '' }])
  })

  it.each(['user', 'system', 'developer'])('[D35] rejects %s without content', async (role) => {
    expectError(await say([{ role }]), {
      status: 400,
      code: 'missing_required_parameter',
      param: 'messages[0].content',
    })
    for (const content of [null, 5, true, {}])
      expectError(await say([{ role, content }]), { status: 400, code: 'invalid_type', param: 'messages[0].content' })
  })

  it('[D35] rejects a tool result that is not text', async () => {
    for (const content of [null, 5, {}])
      expectError(await say([{ role: 'tool', tool_call_id: 'x', content }]), {
        status: 400,
        code: 'invalid_type',
        param: 'messages[0].content',
      })
  })

  it.each([
    ['calls', { tool_calls: [CALL] }, { toolCalls: [JOB_CALL] }],
    ['nothing', {}, {}],
  ])('[D36] accepts an assistant without content, with %s', async (_, given, expected) => {
    const heardAs = [{ role: 'assistant', content: '', ...expected }]
    expect(await heard([{ role: 'assistant', content: null, ...given }])).toStrictEqual(heardAs)
    expect(await heard([{ role: 'assistant', ...given }])).toStrictEqual(heardAs)
  })

  it('[D36] [D42b] accepts an assistant without content, with a function call', async () => {
    const call = { name: 'f', arguments: '{}' }
    const messages = (await heard([
      { role: 'assistant', content: null, function_call: call },
      { role: 'function', name: 'f', content: 'done' },
    ])) as { toolCalls?: { id: string }[]; toolCallId?: string }[]
    expect(messages[0]).toMatchObject({ role: 'assistant', content: '', toolCalls: [call] })
    expect(messages[1]).toMatchObject({ role: 'tool', content: 'done', toolCallId: messages[0]!.toolCalls![0]!.id })
  })

  const pictures = ['image_url', 'input_audio', 'file', 'refusal', 'video', 'Text']
  it.each(pictures)('[D37] rejects a part of type %s', async (type) => {
    const content = [
      { type: 'text', text: 'look' },
      { type, [type]: { url: 'x' } },
    ]
    for (const [index, role] of ['user', 'system', 'assistant', 'tool'].entries()) {
      const messages = [...HI.slice(0, index % 2), { role, tool_call_id: 'x', content }]
      const param = `messages[${messages.length - 1}].content[1].type`
      expectError(await say(messages), { status: 400, code: 'unsupported_content_part', param })
    }
  })

  it.each([
    [{ text: 'x' }, 'missing_required_parameter', '.type'],
    [{ type: null, text: 'x' }, 'missing_required_parameter', '.type'],
    [{ type: 'text' }, 'missing_required_parameter', '.text'],
    [{ type: 'text', text: null }, 'missing_required_parameter', '.text'],
    [{ type: 'text', text: 5 }, 'invalid_type', '.text'],
    [{ type: 'text', text: {} }, 'invalid_type', '.text'],
    [{ type: 7 }, 'invalid_type', '.type'],
    ['x', 'invalid_type', ''],
    [null, 'invalid_type', ''],
    [[], 'invalid_type', ''],
  ])('[D38] rejects the part %j', async (part, code, place) => {
    expectError(await say([{ role: 'user', content: [part] }]), {
      status: 400,
      code,
      param: `messages[0].content[0]${place}`,
    })
  })

  it('[D39] ignores other keys of a part', async () => {
    const content = [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' }, prompt_cache_breakpoint: {} }]
    expect(await heard([{ role: 'user', content }])).toStrictEqual(HI)
  })
})

describe('calls and results', () => {
  it('[D40] [D40a] need the id of a call, but not the call', async () => {
    for (const id of [{}, { tool_call_id: null }])
      expectError(await say([{ role: 'tool', content: 'x', ...id }]), {
        status: 400,
        code: 'missing_required_parameter',
        param: 'messages[0].tool_call_id',
      })
    expectError(await say([{ role: 'tool', content: 'x', tool_call_id: 5 }]), {
      status: 400,
      code: 'invalid_type',
      param: 'messages[0].tool_call_id',
    })
    expect(await heard([{ role: 'tool', content: 'x', tool_call_id: 'call_9' }])).toStrictEqual([
      { role: 'tool', content: 'x', toolCallId: 'call_9' },
    ])
  })

  it.each([
    ['a tool message', { role: 'tool', content: 'x', tool_call_id: 'c' }],
    ['a function message', { role: 'function', name: 'f', content: 'x' }],
    ['an assistant that calls', { role: 'assistant', content: null, tool_calls: [CALL] }],
    [
      'an assistant that calls a function',
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    ],
  ])('[D41] need a device with tools: %s', async (_, message) => {
    expectError(await say([...HI, message], PLAIN), {
      status: 400,
      code: 'unsupported_by_node',
      param: 'messages[1].role',
    })
    expectCompletion(await say([...HI, message], FULL))
  })

  it('[D42] [D42a] of functions need a name, but no content', async () => {
    for (const name of [{}, { name: null }])
      expectError(await say([{ role: 'function', content: 'x', ...name }]), {
        status: 400,
        code: 'missing_required_parameter',
        param: 'messages[0].name',
      })
    expect(await heard([{ role: 'function', name: 'f', content: null }])).toMatchObject([{ role: 'tool', content: '' }])
  })

  it.each([[{}], [5], [['a']]])('[D43] are rejected with the arguments %j', async (given) => {
    const calls = [{ ...CALL, function: { name: 'f', arguments: given } }]
    expectError(await say([{ role: 'assistant', tool_calls: calls }]), {
      status: 400,
      code: 'invalid_type',
      param: 'messages[0].tool_calls[0].function.arguments',
    })
  })

  it('[D43a] treats an empty list of calls as none', async () => {
    const messages = [{ role: 'assistant', content: 'yo', tool_calls: [] }]
    expectCompletion(await say(messages, PLAIN))
    expect(lastJob(system.plain).messages).toStrictEqual([{ role: 'assistant', content: 'yo' }])
  })
})
