import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { startStandIn } from '../../../testing/stand-ins/server.ts'
import type { StandInProduct } from '../../../testing/stand-ins/quirks.ts'
import { createOpenAiServerEngine } from '../openai-server-engine.ts'
import { createProbeMemory } from './probe-memory.ts'

/** Starts an engine on the server twice, as after a restart of the app; returns the requests of the second start. */
async function startTwice(
  product: StandInProduct,
  path: string,
  between: (server: { version: string }) => void = () => undefined,
) {
  const server = await startStandIn({ product })
  onTestFinished(() => server.stop())
  const start = async () => {
    const engine = createOpenAiServerEngine({ url: server.url, memory: createProbeMemory(path) })
    await engine.start(new AbortController().signal)
    await engine.probed(new AbortController().signal)
    const models = engine.models()
    await engine.stop()
    return models
  }
  const first = await start()
  between(server)
  server.chats.length = 0
  return { first, second: await start(), asked: server.chats.length }
}

describe('a device that starts again', () => {
  it('remembers the results for a model that is the same', async () => {
    const { first, second, asked } = await startTwice('ollama', join(scratchFolder(), 'probes.json'))
    expect(second).toEqual(first)
    expect(asked).toBe(0)
  })

  it.each<[string, StandInProduct, (server: { version: string }) => void]>([
    ['whose version changed', 'ollama', (server) => (server.version = '2.0.0')],
    ['that may have been started with other options', 'llama-server', () => undefined],
  ])('probes a server again %s', async (_, product, change) => {
    expect((await startTwice(product, join(scratchFolder(), 'probes.json'), change)).asked).toBeGreaterThan(5)
  })

  it('starts over if the file is damaged or cannot be written', async () => {
    const path = join(scratchFolder(), 'probes.json')
    writeFileSync(path, '{"edition": 1, "models": {"x": {"abilities": 7}}}')
    expect(createProbeMemory(path).recall('x')).toBeUndefined()
    writeFileSync(path, 'nonsense')
    expect((await startTwice('ollama', join(path, 'no-folder'))).asked).toBeGreaterThan(5)
  })
})
