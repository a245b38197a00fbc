import type { ChatEvent, ChatJob } from '@hearth/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cutReply, seenOf } from '../../testing/cut-reply.ts'
import type { GuessMode, LlamaOptions } from '../llama-options.ts'
import { makeModelFile } from '../testing/model-file.ts'
import { writeRandomLlama } from '../testing/random-llama.ts'
import { greedy, openTinyEngine, WEATHER, useTinyEngine } from '../testing/tiny-engine.ts'

const engine = await useTinyEngine({ slots: 4, contextLength: 2048 })

/** Cuts the reply after each of its events, and compares what the client sees with the whole reply. */
async function expectSeams(job: ChatJob): Promise<ChatEvent[]> {
  const whole = await engine.ask({ ...job, recovery: {} })
  for (let count = 0; count < whole.events.length; count++) {
    const { sent, recovery } = cutReply(whole.events, count, job.n ?? 1)
    const rest = await engine.ask({ ...job, recovery })
    expect([count, seenOf({ events: [...sent, ...rest.events] })]).toEqual([count, seenOf(whole)])
  }
  return whole.events
}

describe('a reply that another device began', () => {
  it('continues in the middle of a character', async () => {
    const events = await expectSeams(greedy('Say hi in Japanese.', { maxTokens: 30 }))
    const texts = events.flatMap((event) => (event.type === 'text' ? [event] : []))
    expect(texts.some(({ ids = [] }) => ids.length > 1)).toBe(true)
  })

  it('continues after the beginning of a stop sequence', async () => {
    const { text } = await engine.ask(greedy('Tell me a story.', { maxTokens: 40 }))
    const stop = text.slice(20, 40)
    const events = await expectSeams(greedy('Tell me a story.', { maxTokens: 40, stop: [stop] }))
    expect(events.at(-1)).toMatchObject({ finishes: ['stop'] })
  })

  it('continues inside a tool call, and never sends one twice', async () => {
    const events = await expectSeams(greedy('What is the weather in Oslo?', { tools: [WEATHER] }))
    expect(events.filter(({ type }) => type === 'tool-calls')).toHaveLength(1)
  })

  it('ends at once if its last token was drawn', async () => {
    const job = greedy('Tell me a story.', { maxTokens: 12 })
    const { events, usage } = await engine.ask({ ...job, recovery: {} })
    const { recovery } = cutReply(events, events.length - 1, 1)
    const decodes = engine.parts.loop.counts.decodes
    const rest = await engine.ask({ ...job, recovery })
    expect(rest.events).toEqual([{ type: 'end', finishes: ['length'], usage: expect.objectContaining({}) as unknown }])
    expect(rest.usage).toMatchObject({ completionTokens: usage!.completionTokens })
    expect(engine.parts.loop.counts.decodes).toBe(decodes)
  })

  it('is not computed again where its tokens are still in memory', async () => {
    const job = greedy('Tell me a story about a very long river.', { maxTokens: 60 })
    const { events, usage } = await engine.ask({ ...job, recovery: {} })
    const { recovery } = cutReply(events, 40, 1)
    const evaluated = engine.parts.loop.counts.promptTokens
    const rest = await engine.ask({ ...job, recovery })
    expect(engine.parts.loop.counts.promptTokens - evaluated).toBeLessThanOrEqual(2)
    expect(rest.usage!.cachedTokens).toBeLessThanOrEqual(usage!.promptTokens)
  })

  it('draws only the tokens that are missing, on a device that knows nothing of it', async () => {
    const other = await openTinyEngine({ slots: 1, contextLength: 2048 })
    const job = greedy('Tell me a story.', { maxTokens: 60 })
    const { events, usage } = await engine.ask({ ...job, recovery: {} })
    const { sent, recovery } = cutReply(events, 20, 1)
    const rest = await other.ask({ ...job, recovery })
    const given = recovery.choices![0]!.tokens.length
    const { counts } = other.parts.loop
    await other.close()
    expect(seenOf({ events: [...sent, ...rest.events] })).toEqual(seenOf({ events }))
    expect(given).toBeGreaterThan(15)
    expect(counts.generatedTokens).toBe(usage!.completionTokens - given)
    expect(counts.promptTokens).toBe(usage!.promptTokens + given)
  })
})

/** Each of these kinds of weights has kernels of its own, which add up in another order for few tokens than for many. */
const WEIGHTS = ['f16', 'q4_1', 'q4_k'] as const
describe.each(WEIGHTS)('with weights of %s, a reply at temperature 0', (stored) => {
  let file: ReturnType<typeof makeModelFile>
  beforeAll(() => {
    file = makeModelFile((path) => writeRandomLlama(path, { stored, width: 256, seed: 3 }))
  })
  afterAll(() => file.remove())

  it('has the same numbers continued, and with guesses', async () => {
    await expectSameNumbers({ path: file.path, threads: 1 }, greedy('Write: la la la', { maxTokens: 100 }))
  })

  it('has the same numbers next to other jobs on a device that is repeatable', async () => {
    const strict = await openTinyEngine({ path: file.path, repeatable: true, slots: 3, contextLength: 512 })
    const job = greedy('Write: la la la', { maxTokens: 30, logprobs: { top: 0 }, logitBias: { 737: -100 } })
    const others = ['Hello', 'la '.repeat(60)].map((text, index) => greedy(text, { maxTokens: 40, temperature: index }))
    const alone = await strict.ask(job)
    const [beside] = await Promise.all([job, ...others].map((asked) => strict.ask(asked)))
    await strict.close()
    expect(numbersOf(beside!.events)).toEqual(numbersOf(alone.events))
  })
})

it('a long reply at temperature 0 has the same numbers continued, and with guesses, on several threads', async () => {
  // Threads split attention from 256 tokens on. They wait for each other, which takes long on a busy machine.
  const file = makeModelFile((path) => writeRandomLlama(path, { stored: 'q4_1', width: 256 }))
  await expectSameNumbers({ path: file.path, threads: 2 }, greedy('la '.repeat(117), { maxTokens: 6 }))
  file.remove()
})

/** Continued by the same device and by another one, which guesses. */
async function expectSameNumbers(options: Partial<LlamaOptions>, question: ChatJob): Promise<void> {
  const open = (guessing: GuessMode) => openTinyEngine({ ...options, guessing, slots: 2, contextLength: 512 })
  const job = { ...question, logprobs: { top: 0 }, logitBias: { 737: -100 } }
  const devices = [await open('never'), await open('always')] as const
  const { events, logprobs } = await devices[0].ask({ ...job, recovery: {} })
  expect(logprobs).toHaveLength(job.maxTokens!)
  expect(numbersOf((await devices[1].ask(job)).events)).toEqual(numbersOf(events))
  for (const [index, device] of devices.entries())
    for (const share of [0.2, 0.8]) {
      const { sent, recovery } = cutReply(events, Math.floor(events.length * share), 1)
      // Other prompts take the slots, so that the device has to read the reply.
      await Promise.all([1, 2].map((number) => device.ask(greedy(`${number} Hello`, { maxTokens: 1 }))))
      const rest = await device.ask({ ...job, recovery })
      expect([index, share, numbersOf([...sent, ...rest.events])]).toEqual([index, share, numbersOf(events)])
    }
  for (const device of devices) await device.close()
}

function numbersOf(events: readonly ChatEvent[]): number[] {
  return events.flatMap((event) => (event.type === 'text' ? (event.logprobs ?? []) : [])).map(({ logprob }) => logprob)
}
