import { describe, expect, it, onTestFinished } from 'vitest'
import { startStandIn, type StandInOptions } from '../../../testing/stand-ins/server.ts'
import { startStandInSearch } from '../../../testing/stand-ins/search.ts'
import { discoverServers } from './discover-servers.ts'

async function begin(options: StandInOptions): Promise<string> {
  const server = await startStandIn(options)
  onTestFinished(() => server.stop())
  return server.url
}

describe('discoverServers', () => {
  it('finds servers that list models, by name, and nothing else', async () => {
    const [ollama, studio] = [await begin({ product: 'ollama' }), await begin({ product: 'lm-studio' })]
    const gone = await startStandIn()
    await gone.stop()
    const other = await startStandInSearch()
    onTestFinished(() => other.stop())
    const found = await discoverServers(new AbortController().signal, [gone.url, ollama, other.url, studio])
    expect(found).toEqual([
      { url: ollama, product: { name: 'ollama', version: '1.2.3' } },
      { url: studio, product: { name: 'lm-studio', version: '' } },
    ])
  })
})
