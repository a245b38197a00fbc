// A real gateway and a real device app that serves a local server's model beside its own, and searches the web for both. Server and search
// provider are stand-ins that speak the real interfaces.

import { startStandIn, startStandInSearch } from '@hearth/device/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { startSystem } from '../harness/start-system.ts'
import { startTinyDevice } from '../harness/tiny-device.ts'

const TINY = 'own'
const UPSTREAM = 'house'
const SOURCE = { url: 'https://oslo.example/', title: 'About Oslo', text: 'Oslo has 700,000 people.' }

const system = await startSystem({ devices: 'none' })
const server = await startStandIn({ product: 'ollama', models: ['qwen3:8b'] })
const search = await startStandInSearch()
search.results = [SOURCE]
const servers = ['--upstream', server.url, '--upstream-models', `${UPSTREAM}=qwen3:8b`]
const searching = ['--search', 'searxng', '--search-url', search.url, '--no-search-pages']
const device = await startTinyDevice(system, TINY, { others: [UPSTREAM], flags: [...servers, ...searching] })
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await search.stop()
  await server.stop()
  await system[Symbol.asyncDispose]()
})

const says = (content: string): object => ({
  model: UPSTREAM,
  temperature: 0,
  messages: [{ role: 'user', content: `Say: ${content}` }],
})

describe('a local server behind the gateway', () => {
  it('answers under the name its owner gave the model', async () => {
    const { choices, model, usage } = expectCompletion(await system.client.post(says('Hello there.')))
    expect(model).toBe(UPSTREAM)
    expect(choices[0]).toMatchObject({ message: { content: 'Hello there.' }, finish_reason: 'stop' })
    expect(usage!.completion_tokens).toBe(2)
  })
})

describe('web search behind the gateway', () => {
  const question = { ...says('Oslo has 700,000 people [1].'), web_search_options: { search_context_size: 'low' } }
  const annotation = {
    type: 'url_citation',
    url_citation: { url: SOURCE.url, title: SOURCE.title, start_index: 24, end_index: 27 },
  }

  it('cites its sources in a whole reply', async () => {
    const { choices } = expectCompletion(await system.client.post(question))
    expect(choices[0]!.message).toMatchObject({ content: 'Oslo has 700,000 people [1].', annotations: [annotation] })
  })

  it('cites its sources in a stream, before the finish', async () => {
    const { chunks, texts, done } = await system.client.stream(question)
    expect({ text: texts[0], done }).toEqual({ text: 'Oslo has 700,000 people [1].', done: true })
    const deltas = chunks.map((chunk) => chunk.choices[0])
    const citing = deltas.findIndex((choice) => choice !== undefined && 'annotations' in choice.delta)
    expect(deltas[citing]!.delta).toMatchObject({ annotations: [annotation] })
    expect(deltas.findIndex((choice) => choice?.finish_reason === 'stop')).toBeGreaterThan(citing)
  })

  it('works with the embedded engine too', async () => {
    const before = search.searches.length
    const messages = [{ role: 'user', content: 'What is the capital of Norway?' }]
    const fields = { model: TINY, messages, max_tokens: 8, web_search_options: {} }
    expectCompletion(await system.client.post(fields))
    expect(search.searches.at(-1)?.terms['q']).toBe('What is the capital of Norway?')
    expect(search.searches.length).toBe(before + 1)
  })
})

describe('a local server that is gone', () => {
  it('is noticed, and requests for its model wait until it is back', async () => {
    const port = Number(new URL(server.url).port)
    await server.stop()
    const waiting = system.client.post(says('I am back.'))
    const again = await startStandIn({ product: 'ollama', models: ['qwen3:8b'], port })
    try {
      expect(expectCompletion(await waiting).choices[0]!.message.content).toBe('I am back.')
    } finally {
      await again.stop()
    }
  })
})
