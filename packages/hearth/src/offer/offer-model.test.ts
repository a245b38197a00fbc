import type { PullLine, ReadyModel, Recommendations } from '@hearth/device'
import { describe, expect, it } from 'vitest'
import { offerModel, type OfferWorld } from './offer-model.ts'
import type { WantedModel } from './wanted-model.ts'

const STARTER = 'smollm2-135m-instruct'
const best = {
  name: 'qwen3:4b',
  title: 'Qwen3 4B',
  bytes: 2.5e9,
  reason: 'Fits in memory, about 9 tokens/s',
  isHere: false,
}
const progress: PullLine = {
  type: 'progress',
  label: 'x',
  progress: { doneBytes: 5, totalBytes: 10, bytesPerSecond: 1 },
}

class Stage {
  readonly shown: string[] = []
  readonly enabled: string[] = []
  readonly stop = new AbortController()
  wanted: WantedModel | undefined
  models = [STARTER]
  found: Recommendations | undefined = { recommended: best, isHubReachable: true }
  asked = 0
  /** Resolves the next one that waits for a key. */
  press = (): void => undefined
  pulls: { until: AbortSignal; end: PromiseWithResolvers<ReadyModel> }[] = []

  run(isAttended = true): Promise<void> {
    return offerModel(this.#world(isAttended), this.stop.signal)
  }

  async heard(text: string): Promise<void> {
    await expect.poll(() => this.shown.join('\n')).toContain(text)
  }

  #world(isAttended: boolean): OfferWorld {
    return {
      folder: {
        recommend: async () => {
          this.asked += 1
          return this.found
        },
        pull: (_, onLine, until) => {
          const end = Promise.withResolvers<ReadyModel>()
          until.addEventListener('abort', () => end.reject(new Error('stopped')))
          this.pulls.push({ until, end })
          onLine(progress)
          return end.promise
        },
        status: () => ({ models: [{ name: best.name, state: 'loadable', busy: 0 }] }) as never,
      },
      screen: { print: this.#show, step: this.#show, move: this.#show },
      wanted: {
        read: () => this.wanted,
        write: (model) => (this.wanted = model),
        remove: () => (this.wanted = undefined),
      },
      models: this.models,
      pressed: isAttended ? (signal) => this.#pressed(signal) : undefined,
      enable: async (names) => void this.enabled.push(...names),
      requestFor: (name) => `curl ${name}`,
      keep: () => undefined,
    }
  }

  readonly #show = (text: string): void => void this.shown.push(text)

  #pressed(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve())
    this.press = resolve
    return promise
  }
}

describe('the offer of a better model', () => {
  it('downloads it at one key press, enables it and shows a request', async () => {
    const stage = new Stage()
    const over = stage.run()
    await stage.heard('Press M to download Qwen3 4B (2.5 GB), the best model for this machine.')
    expect([stage.pulls, stage.wanted]).toEqual([[], undefined])
    stage.press()
    await stage.heard('Qwen3 4B: 5 B of 10 B · 50%')
    expect(stage.wanted?.name).toBe('qwen3:4b')
    stage.pulls[0]?.end.resolve({ name: 'qwen3:4b', bytes: 1 })
    await over
    expect(stage.shown.at(-1)).toContain('Qwen3 4B is ready. Your apps call it qwen3:4b:\n\n  curl qwen3:4b')
    expect([stage.enabled, stage.wanted]).toEqual([['qwen3:4b'], undefined])
  })

  it.each<[string, (stage: Stage) => unknown]>([
    ['the hub cannot be reached', (stage) => (stage.found = { recommended: best, isHubReachable: false })],
    ['the machine has it', (stage) => (stage.found = { recommended: { ...best, isHere: true }, isHubReachable: true })],
    ['nothing suits the machine', (stage) => (stage.found = { isHubReachable: true })],
    ['the question failed', (stage) => (stage.found = undefined)],
    ['a better model is served', (stage) => (stage.models = ['qwen3:8b', STARTER])],
    ['no model is served', (stage) => (stage.models = [])],
  ])('is not made, and nothing is said, if %s', async (_, prepare) => {
    const stage = new Stage()
    prepare(stage)
    await stage.run()
    expect(stage.shown).toEqual([])
  })

  it('is not made where nobody sits at the keyboard, and then the hub is not asked', async () => {
    const stage = new Stage()
    await stage.run(false)
    expect([stage.shown, stage.asked]).toEqual([[], 0])
  })

  it('continues a download that the last start began, without a key press', async () => {
    const stage = new Stage()
    stage.wanted = best
    const over = stage.run(false)
    await stage.heard('Downloading Qwen3 4B')
    stage.pulls[0]?.end.resolve({ name: 'qwen3:4b', bytes: 1 })
    await over
    expect([stage.enabled, stage.asked]).toEqual([['qwen3:4b'], 0])
  })

  it('stops a download at another key press, and forgets it until the next one', async () => {
    const stage = new Stage()
    stage.wanted = best
    const over = stage.run()
    await stage.heard('press M to stop')
    stage.press()
    await stage.heard('Stopped downloading Qwen3 4B. Press M to continue.')
    expect([stage.pulls[0]?.until.aborted, stage.wanted]).toEqual([true, undefined])
    stage.press()
    await expect.poll(() => stage.pulls.length).toBe(2)
    expect(stage.wanted?.name).toBe('qwen3:4b')
    stage.stop.abort()
    await over
    expect(stage.wanted?.name).toBe('qwen3:4b')
  })

  it('says why a download failed, and tries again at a key press or at the next start', async () => {
    const stage = new Stage()
    stage.wanted = best
    const over = stage.run()
    await stage.heard('Downloading')
    stage.pulls[0]?.end.reject(new Error("Can't reach the hub."))
    await stage.heard("Can't download Qwen3 4B: Can't reach the hub. Press M to continue.")
    expect(stage.wanted?.name).toBe('qwen3:4b')
    stage.stop.abort()
    await over
  })
})
