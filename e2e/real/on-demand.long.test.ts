// A real device with two models and room for one: every request is answered, and the models take turns.

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Random } from '@hearth/gateway/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { DEADLINE_MS } from '../harness/deadline.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { readWholeStream } from '../harness/client/read-stream.ts'
import { startSystem } from '../harness/start-system.ts'
import { startTinyDevice } from '../harness/tiny-device.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'

interface DeviceStatus {
  models: { name: string; state: string }[]
}

const STARTER =
  process.env['HEARTH_STARTER_GGUF'] ?? join(homedir(), '.hearth-device/models/SmolLM2-135M-Instruct.Q4_1.gguf')
/** The starter model is too large for the repository; where it is missing, a copy of the tiny one stands in for it. */
const OTHER = existsSync(STARTER) ? { path: STARTER, memory: '900MB' } : { path: TINY_PATH, memory: '600MB' }
const MODELS = ['tiny', 'other'] as const
const JOBS = 60
const CLIENTS = 12
/** One token over and over, until the context is full. */
const ENDLESS = { logit_bias: { '100': 100 }, max_tokens: 1_500 }
const CAPITAL = [{ role: 'user', content: 'What is the capital of Italy?' }]

const system = await startSystem({ devices: 'none' })
const device = await startTinyDevice(system, 'tiny', {
  others: ['other'],
  flags: ['--memory', OTHER.memory, '--gpu', 'off'],
})
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
})

async function ask(model: string): Promise<string> {
  const reply = await system.client.post({ model, messages: CAPITAL, temperature: 0, max_tokens: 16 })
  return expectCompletion(reply).choices[0]!.message.content
}

async function states(): Promise<string[]> {
  const { models } = JSON.parse(await device.command('status', '--json')) as DeviceStatus
  return models.map(({ name, state }) => `${name} ${state}`)
}

/** Which models were in memory after each change, as the device's log tells it. */
function residents(): string[][] {
  const present = new Set<string>()
  const lines = device.output().matchAll(/(tiny|other): (ready|unloaded)/g)
  return [...lines].map(([, model, what]) => {
    if (what === 'ready') present.add(model!)
    else present.delete(model!)
    return [...present]
  })
}

describe('a device with two models and room for one', () => {
  it('offers a model that it has to load, and answers with it', async () => {
    await device.command('models', 'add', OTHER.path, '--as', 'other')
    await device.heard('other: loads when a request needs it')
    expect(await ask('other')).not.toBe('')
    await device.heard('tiny: unloaded to make room for other')
    expect(residents()).toEqual([['tiny'], [], ['other']])
    // The status file follows a moment later.
    await expect.poll(states, { timeout: DEADLINE_MS }).toEqual(['tiny loadable', 'other serving'])
  })

  it(`answers ${JOBS} requests in random order over both models, never with both in memory`, async () => {
    const random = new Random(15)
    const order = Array.from({ length: JOBS }, () => random.pick(MODELS))
    const answers: string[] = []
    const work = order.values()
    const client = async () => {
      for (const model of work) answers.push(`${model} ${await ask(model)}`)
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    expect(answers).toHaveLength(JOBS)
    expect(answers.filter((answer) => answer === 'tiny The capital of Italy is Rome.')).toHaveLength(
      order.filter((model) => model === 'tiny').length,
    )
    expect(Math.max(...residents().map((models) => models.length))).toBe(1)
    const swaps = device.output().match(/unloaded to make room/g)!.length
    expect(swaps).toBeLessThan(JOBS / 2)
  })

  it('finishes the answers of a model that is removed', async () => {
    const { events } = await system.client.openStream({ model: 'tiny', messages: CAPITAL, ...ENDLESS })
    await events.next()
    await device.command('models', 'remove', 'tiny')
    const rest = await readWholeStream(events)
    expect(rest).toMatchObject({ done: true, finishes: ['length'] })
    await expect(device.command('models', 'remove', 'tiny')).rejects.toThrow('There is no model "tiny" on this machine')
    expect(await ask('other')).not.toBe('')
  })
})
