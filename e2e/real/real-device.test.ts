// A real gateway and a real device app with a real model, small enough to know ten capitals: what the interface promises is computed here.

import { afterAll, describe, expect, it } from 'vitest'
import { startDeviceProcess, type DeviceProcess } from '../harness/processes/device-process.ts'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { readWholeStream, summarize } from '../harness/client/read-stream.ts'
import { startSystem } from '../harness/start-system.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'

const MODEL = 'hearth-tiny'
const CAPITAL = [{ role: 'user', content: 'What is the capital of Italy?' }]
const STORY = [{ role: 'user', content: 'Tell me a story.' }]
/** One token over and over, until the context is full. */
const ENDLESS = { model: MODEL, messages: STORY, logit_bias: { '100': 100 }, n: 4 }
const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

// On a busy machine, an engine takes long to start again.
const system = await startSystem({ devices: 'none', settings: { DEVICE_RETURN_MS: '40000' } })
const device = await startRealDevice()
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
})
const { client } = system

async function startRealDevice(): Promise<DeviceProcess> {
  const token = await system.enrolmentToken(MODEL)
  return startDeviceProcess({ origin: system.origin, token, model: { path: TINY_PATH, name: MODEL } })
}

async function ask(fields: object) {
  return expectCompletion(await client.post({ model: MODEL, messages: CAPITAL, temperature: 0, ...fields }))
}

async function answer(fields: object): Promise<string> {
  return (await ask(fields)).choices[0]!.message.content
}

describe('a real model behind the gateway', () => {
  it('[E46] gives the same answer again at temperature 0', async () => {
    expect(await answer({})).toBe('The capital of Italy is Rome.')
    expect(await answer({})).toBe('The capital of Italy is Rome.')
  })

  it('[E48a] stops at the token limit', async () => {
    const { choices, usage } = await ask({ max_tokens: 3 })
    expect(choices[0]!.finish_reason).toBe('length')
    expect(usage!.completion_tokens).toBe(3)
  })

  it('[E49] prefers max_completion_tokens', async () => {
    expect((await ask({ max_tokens: 50, max_completion_tokens: 2 })).usage!.completion_tokens).toBe(2)
  })

  it('[E52] keeps the stop sequence and nothing after it, whole and streamed', async () => {
    const fields = { messages: [{ role: 'user', content: 'Count from 1 to 7.' }], stop: ['4 5'] }
    const { choices } = await ask(fields)
    expect(choices[0]).toMatchObject({ message: { content: '1 2 3 4 5' }, finish_reason: 'stop' })
    const stream = await client.stream({ model: MODEL, temperature: 0, ...fields })
    expect(stream.texts[0]).toBe('1 2 3 4 5')
  })

  it('[E53] changes its answer with penalties', async () => {
    const plain = await answer({ messages: STORY, max_tokens: 40 })
    expect(await answer({ messages: STORY, max_tokens: 40, frequency_penalty: 2, presence_penalty: 2 })).not.toBe(plain)
  })

  it('[D31a] treats developer as system', async () => {
    const said = (role: string) => answer({ messages: [{ role, content: 'Be brief.' }, ...CAPITAL] })
    expect(await said('developer')).toBe(await said('system'))
  })

  it('[F61] answers with a JSON object if asked', async () => {
    const messages = [{ role: 'user', content: 'Describe Ada, 42, as JSON.' }]
    const { choices } = await ask({ messages, response_format: { type: 'json_object' } })
    expect(choices[0]!.finish_reason).toBe('stop')
    expect(JSON.parse(choices[0]!.message.content)).toMatchObject({ name: 'Ada', age: 42 })
  })

  it('[F62] keeps to a schema at any temperature', async () => {
    const schema = {
      type: 'object',
      properties: { name: { enum: ['Ada', 'Bob'] }, age: { type: 'integer', minimum: 1, maximum: 99 } },
      required: ['name', 'age'],
      additionalProperties: false,
    }
    for (const temperature of [0, 1, 2]) {
      const { choices } = await ask({
        temperature,
        response_format: { type: 'json_schema', json_schema: { name: 'person', schema } },
      })
      const person = JSON.parse(choices[0]!.message.content) as { name: string; age: number }
      expect(['Ada', 'Bob']).toContain(person.name)
      expect(Number.isInteger(person.age) && person.age >= 1 && person.age <= 99).toBe(true)
    }
  })

  it('[F60a] rejects a schema that cannot be enforced, naming it', async () => {
    const response_format = {
      type: 'json_schema',
      json_schema: { name: 'x', schema: { type: 'string', pattern: '(?<=a)b' } },
    }
    const error = expectError(await client.post({ model: MODEL, messages: CAPITAL, response_format }), {
      status: 400,
      code: 'invalid_json_schema',
    })
    expect(error.message).toContain('pattern')
  })

  it('[F63] calls a tool and reads its result', async () => {
    const question = { role: 'user', content: 'What is the weather in Oslo?' }
    const { choices } = await ask({ messages: [question], tools: [WEATHER] })
    const [call] = choices[0]!.message.tool_calls!
    expect(choices[0]!.finish_reason).toBe('tool_calls')
    expect(JSON.parse(call!.function.arguments)).toEqual({ city: 'Oslo' })
    const history = [
      question,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call!.id, content: 'windy' },
    ]
    expect(await answer({ messages: history, tools: [WEATHER] })).toBe('It is windy in Oslo.')
  })

  it('[F65] calls no tool if the choice is none', async () => {
    const { choices } = await ask({
      messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
      tools: [WEATHER],
      tool_choice: 'none',
      max_tokens: 40,
    })
    expect(choices[0]!.message.tool_calls).toBeUndefined()
  })

  it('[J95] streams a tool call in one chunk', async () => {
    const { chunks } = await client.stream({
      model: MODEL,
      messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
      tools: [WEATHER],
      temperature: 0,
    })
    const calling = chunks.filter((chunk) => chunk.choices[0]?.delta.tool_calls !== undefined)
    expect(calling).toHaveLength(1)
    expect(calling[0]!.choices[0]!.delta.tool_calls![0]).toMatchObject({
      index: 0,
      type: 'function',
      function: { name: 'get_weather' },
    })
  })

  it('[F68] gives log probabilities that are probabilities', async () => {
    const { choices } = await ask({ logprobs: true, top_logprobs: 5 })
    const entries = choices[0]!.logprobs!.content
    expect(entries.map(({ token }) => token).join('')).toBe('The capital of Italy is Rome.')
    for (const { logprob, top_logprobs } of entries) {
      expect(logprob).toBeLessThanOrEqual(0)
      expect(top_logprobs).toHaveLength(5)
    }
  })

  it('[F70] [F70a] gives as many choices as asked, and counts one', async () => {
    const { choices, usage } = await ask({ n: 3 })
    expect(choices.map(({ index, message }) => [index, message.content])).toEqual(
      [0, 1, 2].map((index) => [index, 'The capital of Italy is Rome.']),
    )
    expect(usage!.completion_tokens).toBe((await ask({})).usage!.completion_tokens)
  })

  it('[F71] bans a token by its id', async () => {
    const everything = Object.fromEntries(Array.from({ length: 700 }, (_, id) => [String(id), id % 2 === 0 ? -100 : 0]))
    expect(await answer({ logit_bias: everything, max_tokens: 20 })).not.toBe('The capital of Italy is Rome.')
  })

  it('[F72] accepts every reasoning effort', async () => {
    for (const reasoning_effort of ['low', 'medium', 'high'])
      expect(await answer({ reasoning_effort })).toContain('Rome')
  })

  it('[J90b] streams the same text as a whole reply, several times', async () => {
    for (const messages of [CAPITAL, STORY, [{ role: 'user', content: 'Say hi in Japanese.' }]]) {
      const { texts } = await client.stream({ model: MODEL, messages, temperature: 0 })
      expect(texts[0]).toBe(await answer({ messages }))
    }
  })

  it('[J93] reports usage in the stream if asked', async () => {
    const { chunks } = await client.stream({
      model: MODEL,
      messages: CAPITAL,
      temperature: 0,
      stream_options: { include_usage: true },
    })
    const { prompt_tokens, completion_tokens, total_tokens } = (await ask({})).usage!
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens, completion_tokens, total_tokens } })
  })

  it('[J99] never splits a character', async () => {
    const { texts } = await client.stream({
      model: MODEL,
      messages: [{ role: 'user', content: 'Say hi in Japanese.' }],
      temperature: 0,
    })
    expect(texts[0]).toBe('こんにちは 🙂')
  })

  it('[F73a] rejects a prompt that does not fit, and says how much does', async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(20_000) }]
    const error = expectError(await client.post({ model: MODEL, messages }), {
      status: 400,
      code: 'context_length_exceeded',
      param: 'messages',
    })
    expect(error.message).toMatch(/maximum context length is \d+ tokens/)
  })
})

describe('a device that breaks', () => {
  it('[S60] continues a stream after its engine crashed, and serves again', async () => {
    const long = { ...ENDLESS, max_tokens: 400 }
    const whole = await client.stream(long)
    const enginePid = await device.enginePid()
    const { events } = await client.openStream(long)
    const first = await events.next()
    const printed = device.output().length
    process.kill(enginePid, 'SIGKILL')
    const rest = await readWholeStream(events)
    const [begun] = summarize(first.done === true ? [] : [first.value]).texts
    expect(rest).toMatchObject({ error: undefined, done: true })
    expect(`${begun ?? ''}${rest.texts[0]}`).toBe(whole.texts[0])
    await device.heard(`${MODEL}: ready`, printed)
    expect(await answer({})).toBe('The capital of Italy is Rome.')
  })

  it('[J96] [H84b] ends a stream with an error when the device is killed; a whole reply waits for the next device', async () => {
    const { events } = await client.openStream(ENDLESS)
    await events.next()
    const whole = ask({})
    await device.kill()
    const { error, done } = await readWholeStream(events)
    expect(error).toMatchObject({ code: 'server_error' })
    expect(done).toBe(false)
    await using _next = await startRealDevice()
    expect((await whole).choices[0]!.message.content).toBe('The capital of Italy is Rome.')
  })
})
