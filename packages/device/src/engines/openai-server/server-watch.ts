// Watches one local server: which product it is, which models it has, and which features each proved to have. It checks every few seconds, and
// right after an error, and probes new models before serving them. One probe runs at a time.

import { waitOrAbort, type Clock } from '../../clock.ts'
import { describeError } from '@hearth/command-line/errors'
import { EngineError } from '../engine.ts'
import type { Abilities } from './request/abilities.ts'
import { learnContextLength } from './server/context-length.ts'
import { ConnectionError, KeyError } from './http/http-call.ts'
import { listServerModels, type ListedModel } from './server/list-models.ts'
import { probeModel } from './probe/probe-model.ts'
import type { ProbeMemory, RememberedServer } from './probe/probe-memory.ts'
import { isNamed } from './server/model-name.ts'
import { readMostRequests } from './slots/server-queue.ts'
import { recognizeProduct, type Product } from './server/product.ts'
import type { ServerAddress } from './http/server-address.ts'

export interface WatchedModel {
  listed: ListedModel
  abilities: Abilities
  contextLength: number
  /** The most requests that the server answers at once, if it said so. */
  mostRequests?: number | undefined
}

export interface WatchOptions {
  address: ServerAddress
  clock: Clock
  /** Only serves these models; absent means all. */
  wanted?: readonly string[]
  memory: ProbeMemory
  /** Called when `models` may have changed. */
  onChange: () => void
  /** Reports a problem to the owner; never contains a prompt or an answer. */
  onProblem: (text: string) => void
}

const LOOK_EVERY_MS = 15_000
const LOOK_WHILE_GONE_MS = 2_000
/** Something responds but lists no models: a server that is still loading, or another program that shouldn't get many requests. */
const LOOK_WHILE_SILENT_MS = 4_000
/** A busy server may respond slowly, so it only counts as gone after this many failed checks in a row. */
const MISSES_ALLOWED = 2
/** Delay before probing a model again after a failure. It doubles each time, up to the maximum. */
const PROBE_AGAIN_MS = 60_000
const PROBE_AGAIN_MAX_MS = 1_800_000

interface Trial {
  key: string
  failures: number
  againAt: number
}

export class ServerWatch {
  readonly #options: WatchOptions
  readonly #end = new AbortController()
  readonly #served = new Map<string, WatchedModel & { key: string }>()
  readonly #trials = new Map<string, Trial>()
  #product: Product = { name: 'other', version: '' }
  /** Models that the server refused although it lists them: what is remembered of them doesn't count. */
  readonly #doubted = new Set<string>()
  #isReachable = false
  #keyError: KeyError | undefined
  /** The server can't be reached. Checking is cheap then, so it is noticed soon when it is back. */
  #isGone = false
  #misses = 0
  #hurry = new AbortController()
  #watching: Promise<void> | undefined
  /** Set while a check is in progress. */
  #looked: PromiseWithResolvers<void> | undefined

  constructor(options: WatchOptions) {
    this.#options = options
  }

  get product(): Product {
    return this.#product
  }

  get isReachable(): boolean {
    return this.#isReachable
  }

  /** Set while the server wants another key. */
  get keyError(): KeyError | undefined {
    return this.#keyError
  }

  /** In the server's order. */
  get models(): WatchedModel[] {
    return [...this.#served.values()]
  }

  start(): void {
    this.#watching ??= this.#watch()
  }

  /** Resolves when the current check is over, whatever it found. */
  looked(): Promise<void> {
    return this.#looked?.promise ?? Promise.resolve()
  }

  lookAgain(): void {
    this.#hurry.abort()
  }

  /** The server refused a job of this model: it is served again when it has proved itself again. */
  withdraw(id: string): void {
    this.#doubted.add(id)
    if (this.#served.delete(id)) this.#options.onChange()
    this.lookAgain()
  }

  async stop(): Promise<void> {
    this.#end.abort(new Error('the engine is stopping'))
    this.#hurry.abort()
    await this.#watching
    this.#served.clear()
  }

  async #watch(): Promise<void> {
    while (!this.#end.signal.aborted) {
      this.#looked = Promise.withResolvers()
      await this.#look()
      this.#looked.resolve()
      this.#looked = undefined
      await waitOrAbort(this.#options.clock, this.#pause(), this.#hurry.signal)
      // Limits the rate of checks when many errors come at once.
      if (this.#hurry.signal.aborted) await waitOrAbort(this.#options.clock, 250, this.#end.signal)
      this.#hurry = new AbortController()
    }
  }

  #pause(): number {
    if (this.#isReachable) return LOOK_EVERY_MS
    return this.#isGone ? LOOK_WHILE_GONE_MS : LOOK_WHILE_SILENT_MS
  }

  async #look(): Promise<void> {
    const { address } = this.#options
    const { signal } = this.#end
    try {
      const product = await recognizeProduct(address, signal, this.#isReachable ? this.#product : undefined)
      const all = await listServerModels(address, product, signal)
      const listed = all.filter(({ id }) => this.#isWanted(id, product))
      this.#product = product
      this.#isReachable = true
      this.#isGone = false
      this.#follow(product, listed)
      for (const model of listed) await this.#tryModel(product, model)
      this.#misses = 0
    } catch (error) {
      this.#misses += 1
      const isSure = error instanceof ConnectionError || error instanceof KeyError
      const isOver = isSure || this.#misses > MISSES_ALLOWED
      if (!signal.aborted && isOver) this.#lose(error)
    }
  }

  #isWanted(id: string, { name: product }: Product): boolean {
    return this.#options.wanted?.some((name) => isNamed(name, id, product)) ?? true
  }

  /** Drops models that are gone or changed, and updates the details of the others. */
  #follow(product: Product, listed: readonly ListedModel[]): void {
    const before = JSON.stringify(this.models)
    const ids = new Set(listed.map(({ id }) => id))
    for (const id of this.#trials.keys()) if (!ids.has(id)) this.#trials.delete(id)
    for (const id of this.#doubted) if (!ids.has(id)) this.#doubted.delete(id)
    const kept = listed.flatMap((model) => {
      const served = this.#served.get(model.id)
      if (served?.key !== probeKey(product, model)) return []
      return [{ ...served, listed: model, contextLength: model.contextLength ?? served.contextLength }]
    })
    this.#served.clear()
    for (const model of kept) this.#served.set(model.listed.id, model)
    if (JSON.stringify(this.models) !== before) this.#options.onChange()
  }

  async #tryModel(product: Product, listed: ListedModel): Promise<void> {
    const key = probeKey(product, listed)
    const trial = this.#trials.get(listed.id)
    const isDue = trial === undefined || trial.key !== key || this.#options.clock.now() >= trial.againAt
    if ((this.#served.has(listed.id) && trial === undefined) || !isDue) return
    let isUnknown = false
    try {
      const known = this.#doubted.has(listed.id) ? undefined : this.#recall(product, key)
      const found = known ?? (await this.#probe(product, listed, () => (isUnknown = true)))
      if (!isUnknown && isTelling(product)) this.#options.memory.keep(key, found)
      this.#served.set(listed.id, { key, listed, ...found })
      this.#doubted.delete(listed.id)
      this.#keyError = undefined
      this.#options.onChange()
    } catch (error) {
      if (!(error instanceof EngineError) || error instanceof ConnectionError) throw error
      if (error instanceof KeyError) this.#keyError = error
      this.#options.onProblem(`Can't serve ${listed.id}: ${error.message}`)
      isUnknown = true
    }
    if (isUnknown) this.#postpone(listed.id, key)
    else this.#trials.delete(listed.id)
  }

  #recall(product: Product, key: string): RememberedServer | undefined {
    return isTelling(product) ? this.#options.memory.recall(key) : undefined
  }

  async #probe(product: Product, listed: ListedModel, onUnknown: () => void): Promise<Omit<WatchedModel, 'listed'>> {
    const { address } = this.#options
    const { signal } = this.#end
    const abilities = await probeModel({ address, product: product.name, model: listed.id, signal, onUnknown })
    const known = listed.contextLength
    const contextLength = known ?? (await learnContextLength(address, product, listed.id, signal))
    const mostRequests = product.name === 'vllm' ? await readMostRequests(address, signal) : undefined
    return { abilities, contextLength, mostRequests }
  }

  #postpone(id: string, key: string): void {
    const before = this.#trials.get(id)
    const failures = before?.key === key ? before.failures + 1 : 1
    const pause = Math.min(PROBE_AGAIN_MAX_MS, PROBE_AGAIN_MS * 2 ** (failures - 1))
    this.#trials.set(id, { key, failures, againAt: this.#options.clock.now() + pause })
  }

  // A server that comes back may have been started with other options, so everything is probed again.
  #lose(error: unknown): void {
    // While starting, a server that isn't there yet is no news, unlike one that wants another key.
    const isNewKey = error instanceof KeyError && this.#keyError === undefined
    if (this.#isReachable || isNewKey) this.#options.onProblem(describeError(error))
    this.#keyError = error instanceof KeyError ? error : undefined
    this.#isReachable = false
    this.#isGone = error instanceof ConnectionError
    this.#trials.clear()
    if (this.#served.size === 0) return
    this.#served.clear()
    this.#options.onChange()
  }
}

/** True if version and weights identify the abilities: with Ollama, no start option changes them. */
function isTelling({ name }: Product): boolean {
  return name === 'ollama'
}

function probeKey({ name, version }: Product, { fingerprint }: ListedModel): string {
  return JSON.stringify([name, version, fingerprint])
}
