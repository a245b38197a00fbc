// How each model was when it was last loaded: its slots, context and features, how long loading took, and when it was used. So the device can
// offer models that are not in memory. A model that was never loaded is described by its file.

import { FEATURES, readDeviceFrame, type DeviceModel, type Feature } from '@hearth/protocol'
import { asFields } from '@hearth/sealing/fields'
import type { Clock } from '../../clock.ts'
import { currentDigest } from '../../models/registry/current-digest.ts'
import { readGgufHeader } from '../../models/gguf/gguf-header.ts'
import type { ModelEntry } from '../../models/registry/registry.ts'
import type { ModelFacts } from '../../serving/announce.ts'
import type { Settings } from '../../settings/settings.ts'
import { keepNotes, recallNotes } from '@hearth/command-line/files/notes'

interface Fact {
  /** The entry it is about: one with another file or other settings is another model. */
  about: string
  model: DeviceModel
  loadMs: number
}

/** The engine has them on nearly every model. One that turns out not to is announced without them once it is loaded. */
const GUESSED: readonly Feature[] = FEATURES.filter((feature) => feature !== 'web_search')
const GUESSED_CONTEXT = 8_192
/** Starting an engine, and reading the file from an ordinary disk. */
const START_MS = 2_000
const BYTES_PER_MS = 500_000

export class RememberedFacts implements ModelFacts {
  readonly #path: string
  readonly #settings: Pick<Settings, 'slots' | 'context'>
  readonly #clock: Clock
  readonly #lastUses: ReadonlyMap<string, Date>
  readonly #facts: Map<string, Fact>
  readonly #guesses = new Map<string, DeviceModel | undefined>()

  /** `lastUses` are those of earlier runs of the app. */
  constructor(
    path: string,
    settings: Pick<Settings, 'slots' | 'context'>,
    clock: Clock,
    lastUses: ReadonlyMap<string, Date>,
  ) {
    this.#path = path
    this.#settings = settings
    this.#clock = clock
    this.#lastUses = lastUses
    this.#facts = new Map(Object.entries(recallNotes(path)).flatMap(([name, fact]) => readFact(name, fact)))
  }

  recall(entry: ModelEntry): { model: DeviceModel; loadMs: number } | undefined {
    const fact = this.#facts.get(entry.name)
    if (fact?.about === this.#key(entry)) return fact
    const model = this.#guess(entry)
    return model && { model, loadMs: START_MS + entry.bytes / BYTES_PER_MS }
  }

  remember(entry: ModelEntry, model: DeviceModel, loadMs: number): void {
    this.#facts.set(entry.name, { about: this.#key(entry), model, loadMs: Math.round(loadMs) })
    keepNotes(this.#path, Object.fromEntries(this.#facts))
  }

  usedAt({ name }: ModelEntry): number | undefined {
    const used = this.#lastUses.get(name)
    return used && this.#clock.now() - (this.#clock.date().getTime() - used.getTime())
  }

  #guess(entry: ModelEntry): DeviceModel | undefined {
    const key = this.#key(entry)
    if (!this.#guesses.has(key)) this.#guesses.set(key, this.#readGuess(entry))
    return this.#guesses.get(key)
  }

  #readGuess(entry: ModelEntry): DeviceModel | undefined {
    const { name, path, contextLength, slots } = entry
    const digest = currentDigest(entry)
    try {
      const trained = readGgufHeader(path).contextLength ?? GUESSED_CONTEXT
      const context = contextLength ?? this.#settings.context ?? GUESSED_CONTEXT
      return {
        name,
        contextLength: Math.min(trained, context),
        slots: slots ?? this.#settings.slots ?? 1,
        features: [...GUESSED],
        // Without it, the reply of the job that has the model loaded could not be continued elsewhere.
        ...(digest !== undefined && { digest }),
      }
    } catch {
      // A file that can't be read is not offered before it is loaded, and loading says what is wrong.
      return undefined
    }
  }

  #key(entry: ModelEntry): string {
    const { slots, context } = this.#settings
    return JSON.stringify([{ ...entry, keepAlive: undefined }, slots, context])
  }
}

function readFact(name: string, value: unknown): [string, Fact][] {
  const { about, loadMs, model: kept } = asFields(value)
  if (typeof about !== 'string' || typeof loadMs !== 'number') return []
  try {
    const frame = readDeviceFrame({ type: 'models', models: [kept] })
    const [model] = frame?.type === 'models' ? frame.models : []
    return model?.name === name ? [[name, { about, model, loadMs }]] : []
  } catch {
    // The model will be loaded again.
    return []
  }
}
