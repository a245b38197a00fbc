import { createServer, type RequestListener } from 'node:http'
import { MAX_MODELS_PER_DEVICE, MAX_NAME_LENGTH } from '@hearth/protocol'
import { closeServer, listen } from '@hearth/command-line/testing/listen'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startStandIn, type StandIn, type StandInOptions } from '../../../testing/stand-ins/server.ts'
import { lookAround } from './look-around.ts'

const never = new AbortController().signal

async function begin(options: StandInOptions): Promise<StandIn> {
  const server = await startStandIn(options)
  onTestFinished(() => server.stop())
  return server
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  onTestFinished(() => closeServer(server))
  return listen(server)
}

const listing = (data: unknown) => serve((_, response) => void response.end(JSON.stringify({ data })))

describe('looking for local servers', () => {
  it.each(['ollama', 'lm-studio', 'vllm', 'llama-server', 'other'] as const)(
    'finds %s with its models',
    async (product) => {
      const server = await begin({ product, models: ['qwen3:8b', 'llama3.2:3b'] })
      const seen = await lookAround([server.url], never)
      expect(seen).toEqual([{ url: server.url, product, models: ['qwen3:8b', 'llama3.2:3b'] }])
    },
  )

  it('only asks for lists, and only servers whose product the first one leaves open for a second', async () => {
    const [ollama, vllm] = [await begin({ product: 'ollama' }), await begin({ product: 'vllm' })]
    await lookAround([ollama.url, vllm.url], never)
    expect([ollama.looks, vllm.looks]).toEqual([['/v1/models', '/api/tags'], ['/v1/models']])
    expect([ollama.chats, vllm.chats]).toEqual([[], []])
  })

  it('finds nothing where nothing listens, a key is missing, or no model is there', async () => {
    const gone = await startStandIn()
    await gone.stop()
    const places = [gone.url, (await begin({ key: 'k' })).url, (await begin({ models: [] })).url]
    expect(await lookAround(places, never)).toEqual([])
  })

  it.each<[string, RequestListener]>([
    ['redirects', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['sends no JSON', (_, response) => void response.end('<html>')],
    ['sends something else', (_, response) => void response.end('{"data":{"id":"x"}}')],
    ['sends too much', (_, response) => void response.end(`{"data":[{"id":"x"}],"more":"${'x'.repeat(2 ** 21)}"}`)],
    ['breaks off', (_, response) => void response.destroy()],
    ['switches the protocol', (_, response) => void response.writeHead(101).end()],
  ])('passes over a program that %s', async (_, answer) => {
    expect(await lookAround([await serve(answer)], never)).toEqual([])
  })

  it('does not wait for one that never answers, and still tells of the others', async () => {
    const silent = await serve(() => undefined)
    const server = await begin({ product: 'vllm' })
    expect((await lookAround([silent, server.url], never)).map(({ url }) => url)).toEqual([server.url])
  })

  it('takes as many models as a device may have, with names of usual length', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ id: `m${index}`, owned_by: 'vllm' }))
    const [first] = await lookAround([await listing(many)], never)
    expect(first?.models).toHaveLength(MAX_MODELS_PER_DEVICE)
    const odd = [{ id: 'x'.repeat(MAX_NAME_LENGTH + 1) }, { id: 7 }, null, { id: '' }, { id: 'a' }, { id: 'a' }]
    expect((await lookAround([await listing(odd)], never))[0]?.models).toEqual(['a'])
  })
})
