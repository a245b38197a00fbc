// Defaults of a model, from the store through the gateway and a real device to the model's answer.

import type { ModelDefaults } from '@hearth/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { DEADLINE_MS } from '../harness/deadline.ts'
import { startDeviceProcess, type DeviceProcess } from '../harness/processes/device-process.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { startSystem } from '../harness/start-system.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'

const MODEL = 'hearth-tiny'
const STORY = [{ role: 'user', content: 'Tell me a story.' }]

const system = await startSystem({ devices: 'none', settings: { ACCESS_POLL_MS: '100' } })
const device = await startRealDevice()
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
})

async function startRealDevice(): Promise<DeviceProcess> {
  const token = await system.enrolmentToken(MODEL)
  return startDeviceProcess({ origin: system.origin, token, model: { path: TINY_PATH, name: MODEL } })
}

/** Resolves once the device uses them: each set of defaults has another limit to tell. */
async function set(defaults: ModelDefaults & { maxTokens: number }): Promise<void> {
  await system.change((store, { home: organization }) =>
    store.setModelDefaults({ organization, name: MODEL, defaults }),
  )
  await expect.poll(async () => (await ask()).completion, { timeout: DEADLINE_MS }).toBe(defaults.maxTokens)
}

async function ask(fields: object = {}) {
  const answer = await system.client.post({ model: MODEL, messages: STORY, ...fields })
  const { choices, usage } = expectCompletion(answer)
  return {
    text: choices[0]!.message.content,
    prompt: usage!.prompt_tokens,
    completion: usage!.completion_tokens,
    finish: choices[0]!.finish_reason,
  }
}

describe('the defaults of a model', () => {
  it('[E60] count where the request says nothing, and the request’s own field wins', async () => {
    await set({ temperature: 0, maxTokens: 12 })
    const first = await ask()
    expect(first).toMatchObject({ completion: 12, finish: 'length' })
    expect((await ask()).text).toBe(first.text)
    const short = await ask({ max_tokens: 5 })
    expect(short.completion).toBe(5)
    expect(first.text.startsWith(short.text)).toBe(true)
    const hot = await Promise.all(Array.from({ length: 4 }, async () => (await ask({ temperature: 2 })).text))
    expect(new Set(hot).size).toBeGreaterThan(1)
  })

  it('[E60] count for a field that is null, which is the same as not sent', async () => {
    await set({ temperature: 0, maxTokens: 7 })
    const { text } = await ask({ temperature: 0 })
    expect(await ask({ temperature: null, max_tokens: null })).toMatchObject({ completion: 7, text })
  })

  it('[E60a] bring a system message only if the request has none', async () => {
    await set({ maxTokens: 3 })
    const { prompt: plain } = await ask()
    const own = [{ role: 'developer', content: 'Hi.' }, ...STORY]
    const { prompt: withOwn } = await ask({ messages: own })
    await set({ maxTokens: 4, systemMessage: 'You are a very patient and kind storyteller.' })
    expect((await ask()).prompt).toBeGreaterThan(plain + 5)
    expect((await ask({ messages: own })).prompt).toBe(withOwn)
  })

  it('[E60b] replace the chat template, and leave the answer’s shape alone', async () => {
    await set({ maxTokens: 3 })
    const { prompt: usual } = await ask()
    const chatTemplate = `${'Once more. '.repeat(20)}{% for message in messages %}{{ message.content }}{% endfor %}`
    await set({ maxTokens: 5, chatTemplate })
    expect((await ask()).prompt).toBeGreaterThan(usual + 10)
    await set({ maxTokens: 6 })
    expect((await ask()).prompt).toBe(usual)
  })
})
