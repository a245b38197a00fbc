import type { DeviceStatus, FoundServer } from '@hearth/device'
import { describe, expect, it } from 'vitest'
import { offerServers } from './offer-servers.ts'

const OLLAMA: FoundServer = {
  url: 'http://127.0.0.1:11434',
  product: 'ollama',
  title: 'Ollama',
  models: ['qwen3:8b', 'llama3.2:3b'],
  isServed: false,
}

class Stage {
  readonly shown: string[] = []
  readonly enabled: string[] = []
  readonly served: string[] = []
  readonly stop = new AbortController()
  /** What the device says about itself. */
  servers: FoundServer[] | undefined = [OLLAMA]
  models: string[] = ['smollm2-135m-instruct']
  /** Someone presses O. */
  press = (): void => undefined

  run(isAttended = true): Promise<void> {
    const show = (text: string): void => void this.shown.push(text)
    const world = {
      folder: {
        serve: (urls: readonly string[]) => void this.served.push(...urls),
        status: () => this.#status(),
      },
      screen: { print: show, step: show },
      pressed: isAttended ? (signal: AbortSignal) => this.#pressed(signal) : undefined,
      enable: async (names: readonly string[]) => void this.enabled.push(...names),
      requestFor: (name: string) => `curl ${name}`,
    }
    return offerServers(world, this.stop.signal)
  }

  async heard(text: string): Promise<void> {
    await expect.poll(() => this.shown.join('\n')).toContain(text)
  }

  #status(): DeviceStatus {
    const models = this.models.map((name) => ({ name, state: 'serving', busy: 0 }))
    return { models, ...(this.servers && { servers: this.servers }) } as never
  }

  #pressed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve())
    this.press = resolve
    return promise
  }
}

describe('the offer to serve local servers', () => {
  it('has them served at one key press, and enables each model when it is ready', async () => {
    const stage = new Stage()
    const over = stage.run()
    await stage.heard('Ollama is running here with 2 models. Press O to serve them too.')
    expect([stage.served, stage.enabled]).toEqual([[], []])
    stage.press()
    await stage.heard('Testing their models')
    expect(stage.served).toEqual([OLLAMA.url])
    stage.models.push('llama3.2:3b')
    await stage.heard('llama3.2:3b is ready. Your apps call it by this name:\n\n  curl llama3.2:3b')
    expect(stage.enabled).toEqual(['llama3.2:3b'])
    stage.models.push('qwen3:8b')
    await over
    expect([stage.shown.at(-1), stage.enabled]).toEqual(['qwen3:8b is ready', ['llama3.2:3b', 'qwen3:8b']])
  })

  it('names each of several servers', async () => {
    const stage = new Stage()
    const other = { ...OLLAMA, url: 'http://127.0.0.1:8000', product: 'other', title: '', models: ['m'] }
    stage.servers = [OLLAMA, other]
    const over = stage.run()
    await stage.heard(
      '  Ollama is running here with 2 models.\n  A local server at http://127.0.0.1:8000 has 1 model. Press O to serve them too.',
    )
    stage.stop.abort()
    await over
    expect(stage.served).toEqual([])
  })

  it('is not made, and nothing is said, if there are none or nobody is there', async () => {
    const stage = new Stage()
    await stage.run(false)
    stage.servers = []
    await stage.run()
    expect([stage.shown, stage.served]).toEqual([[], []])
  })

  it('waits until the device has looked', async () => {
    const stage = new Stage()
    stage.servers = undefined
    const over = stage.run()
    stage.servers = [OLLAMA]
    await stage.heard('Press O')
    stage.stop.abort()
    await over
  })

  it('enables at the next start what the last one left, without a question', async () => {
    const stage = new Stage()
    stage.servers = [{ ...OLLAMA, isServed: true }]
    stage.models.push(...OLLAMA.models)
    await stage.run()
    expect([stage.shown, stage.enabled]).toEqual([[], OLLAMA.models])
  })
})
