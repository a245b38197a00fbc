import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FoundServer } from '../../news.ts'
import { addServers, readAddedServers, removeServer } from '../../settings/added-servers.ts'
import { createEchoEngine } from '../../testing/echo-engine.ts'
import { startStandIn, type StandIn } from '../../testing/stand-ins/server.ts'
import { LocalServers } from './local-servers.ts'

async function startOllama(): Promise<StandIn> {
  const server = await startStandIn({ product: 'ollama', models: ['qwen3:8b', 'llama3.2:3b'] })
  onTestFinished(() => server.stop())
  return server
}

function begin(findServers: string[], upstream?: string[]) {
  const path = join(scratchFolder(), 'servers.json')
  const served: string[] = []
  const found: FoundServer[][] = []
  const changes = { count: 0 }
  const names = new Map<unknown, string>()
  const servers = new LocalServers({
    settings: { findServers, upstream },
    path,
    create(url) {
      const engine = createEchoEngine()
      names.set(engine, url)
      return engine
    },
    serving: {
      addServer: async (server) => void served.push(names.get(server)!),
      removeServer: async (server) => void served.splice(served.indexOf(names.get(server)!), 1),
    },
    say: () => expect.unreachable(),
    onFound: (open) => void found.push(open),
    onChange: () => (changes.count += 1),
    signal: new AbortController().signal,
  })
  return { servers, path, served, found, changes }
}

describe('the local servers of this machine', () => {
  it('are named to the owner, and neither probed nor served before the owner agrees', async () => {
    const ollama = await startOllama()
    const { servers, served, found } = begin([ollama.url])
    expect(servers.seen()).toBeUndefined()
    await servers.start()
    const seen = { url: ollama.url, product: 'ollama', title: 'Ollama', models: ollama.models, isServed: false }
    expect([found, servers.seen(), served]).toEqual([[[seen]], [seen], []])
    expect([ollama.looks, ollama.chats]).toEqual([['/v1/models', '/api/tags'], []])
  })

  it('are served as soon as the owner agrees, until that is taken back', async () => {
    const ollama = await startOllama()
    const { servers, path, served, changes } = begin([ollama.url])
    await servers.start()
    addServers(path, [ollama.url])
    const before = changes.count
    servers.look()
    expect([served, servers.seen()?.[0]?.isServed]).toEqual([[ollama.url], true])
    expect(changes.count).toBeGreaterThan(before)
    servers.look()
    expect(served).toEqual([ollama.url])
    removeServer(path, ollama.url)
    servers.look()
    expect([served, servers.seen()?.[0]?.isServed]).toEqual([[], false])
  })

  it('are served by the next start without another question', async () => {
    const ollama = await startOllama()
    const { servers, path, served, found } = begin([ollama.url])
    addServers(path, [ollama.url])
    await servers.start()
    expect([served, found]).toEqual([[ollama.url], []])
  })

  it('are served for someone else only if they were found here', async () => {
    const ollama = await startOllama()
    const { servers, served, path } = begin([ollama.url])
    expect(servers.serve(ollama.url)).toBe(false)
    await servers.start()
    expect(servers.serve('http://10.0.0.1:80')).toBe(false)
    expect([served, readAddedServers(path)]).toEqual([[], []])
    expect(servers.serve(ollama.url)).toBe(true)
    expect([served, readAddedServers(path)]).toEqual([[ollama.url], [ollama.url]])
  })

  it.each([
    ['the owner names others', ['http://127.0.0.1:1'], ['http://127.0.0.1:1']],
    ['the owner wants none', [], []],
  ])('are not looked for if %s', async (_, upstream, expected) => {
    const ollama = await startOllama()
    const { servers, path, served, found } = begin([ollama.url], upstream)
    addServers(path, [ollama.url])
    await servers.start()
    expect([served, found, servers.seen(), ollama.looks]).toEqual([expected, [], [], []])
  })
})
