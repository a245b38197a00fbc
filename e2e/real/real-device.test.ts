// A real gateway and a real device app with a real model, small enough to know ten capitals: what the interface promises is computed here.

import type { ModelDefaults } from '@hearth/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { DEADLINE_MS } from '../harness/deadline.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { readWholeStream, summarize } from '../harness/client/read-stream.ts'
import { startSystem } from '../harness/start-system.ts'
import { startTinyDevice } from '../harness/tiny-device.ts'
import { WEATHER } from '../harness/client/weather-tool.ts'

const MODEL = 'hearth-tiny'
const CAPITAL = [{ role: 'user', content: 'What is the capital of Italy?' }]
const STORY = [{ role: 'user', content: 'Tell me a story.' }]
/** One token over and over, until the context is full. */
const ENDLESS = { model: MODEL, messages: STORY, logit_bias: { '100': 100 }, n: 4 }

// On a busy machine, an engine takes long to start again.
const system = await startSystem({ devices: 'none', settings: { DEVICE_RETURN_MS: '40000', ACCESS_POLL_MS: '100' } })
const device = await startTinyDevice(system, MODEL)
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
})
const { client } = system

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

  it('[E52] keeps the stop sequence and nothing after it, whole and streamed', async () => {
    const fields = { messages: [{ role: 'user', content: 'Count from 1 to 7.' }], stop: ['4 5'] }
    const { choices } = await ask(fields)
    expect(choices[0]).toMatchObject({ message: { content: '1 2 3 4 5' }, finish_reason: 'stop' })
    const stream = await client.stream({ model: MODEL, temperature: 0, ...fields })
    expect(stream.texts[0]).toBe('1 2 3 4 5')
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

  it('[J90b] [J93] [J99] streams the same text as a whole reply, never splits a character, and counts the same tokens', async () => {
    const fields = { messages: [{ role: 'user', content: 'Say hi in Japanese.' }], temperature: 0 }
    const { texts, chunks } = await client.stream({ model: MODEL, ...fields, stream_options: { include_usage: true } })
    expect(texts[0]).toBe('こんにちは 🙂')
    const { choices, usage } = await ask(fields)
    expect(choices[0]!.message.content).toBe(texts[0])
    const { prompt_tokens, completion_tokens, total_tokens } = usage!
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens, completion_tokens, total_tokens } })
  })
})

describe('a device that breaks', () => {
  it('continues a stream after its engine crashed, and serves again', async () => {
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
})

// The last ones: what they set stays.
describe('the defaults of a model', () => {
  /** Resolves once the device uses them: each set of defaults has another limit to tell. */
  async function set(defaults: ModelDefaults & { maxTokens: number }): Promise<void> {
    await system.change((store, { home: organization }) =>
      store.setModelDefaults({ organization, name: MODEL, defaults }),
    )
    await expect.poll(async () => (await tell()).completion, { timeout: DEADLINE_MS }).toBe(defaults.maxTokens)
  }

  async function tell(fields: object = {}) {
    const answer = await client.post({ model: MODEL, messages: STORY, ...fields })
    const { choices, usage } = expectCompletion(answer)
    return {
      text: choices[0]!.message.content,
      prompt: usage!.prompt_tokens,
      completion: usage!.completion_tokens,
      finish: choices[0]!.finish_reason,
    }
  }

  it('[E60] count where the request says nothing, and the request’s own field wins', async () => {
    await set({ temperature: 0, maxTokens: 12 })
    const first = await tell()
    expect(first).toMatchObject({ completion: 12, finish: 'length' })
    expect((await tell()).text).toBe(first.text)
    const short = await tell({ max_tokens: 5 })
    expect(short.completion).toBe(5)
    expect(first.text.startsWith(short.text)).toBe(true)
    const hot = await Promise.all(Array.from({ length: 4 }, async () => (await tell({ temperature: 2 })).text))
    expect(new Set(hot).size).toBeGreaterThan(1)
  })
})
