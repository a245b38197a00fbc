// Serves the models of a chat-completions server that already runs on this machine (or on one the owner trusts): Ollama, llama-server, LM
// Studio, vLLM and others. Features that the server doesn't really support are not announced; known differences are corrected here.

import {
  MAX_MODELS_PER_DEVICE,
  MAX_NAME_LENGTH,
  MAX_SLOTS,
  type ChatEvent,
  type ChatJob,
  type DeviceModel,
} from '@hearth/protocol'
import { systemClock, unlessAborted, type Clock } from '../../clock.ts'
import { EngineError, type ChangingEngine, type EngineProgress } from '../engine.ts'
import { featuresOf } from './request/abilities.ts'
import type { ProbeMemory } from './probe/probe-memory.ts'
import { readProbeTable, type ProbedModel } from './probe-table.ts'
import { isNamed } from './server/model-name.ts'
import type { LearnedSlots } from './slots/learned-slots.ts'
import { ModelSlots } from './slots/model-slots.ts'
import { runJob, type JobServer } from './run/run-job.ts'
import { readServerAddress } from './http/server-address.ts'
import { ServerWatch, type WatchedModel } from './server-watch.ts'

export interface OpenAiServerOptions {
  /** For example http://127.0.0.1:11434, with or without /v1. */
  url: string
  /** Sent as a bearer token. */
  key?: string
  /** Maps the name a model is served under to its name on the server. Absent serves every model under the server's name. */
  models?: Readonly<Record<string, string>>
  /** Parallel jobs per model. By default what the server reports or, if it doesn't, what it proves to take. */
  slots?: number
  /** Tokens of prompt and answer together, for a server that doesn't report it. */
  contextLength?: number
  /** Starts even if the server isn't running yet, and serves as soon as it is. */
  isPatient?: boolean
  /** A request fails if the server sends nothing for this long. */
  silentMs?: number
  /** Earlier probe results; without it, nothing is remembered across restarts. */
  memory?: ProbeMemory
  clock?: Clock
  /** For the owner's log; never contains a prompt or an answer. */
  onProblem?: (text: string) => void
}

export interface OpenAiServerEngine extends ChangingEngine {
  /** Resolves when every model listed now has been probed. */
  probed(signal: AbortSignal): Promise<void>
  /** The features each model proved to have. */
  probeTable(): readonly ProbedModel[]
}

const SILENT_MS = 300_000
const NO_MEMORY: ProbeMemory = { recall: () => undefined, keep: () => undefined }

export function createOpenAiServerEngine(options: OpenAiServerOptions): OpenAiServerEngine {
  return new LocalServerEngine(options)
}

class LocalServerEngine implements OpenAiServerEngine {
  readonly kind = 'openai-server'
  readonly #options: OpenAiServerOptions
  readonly #watch: ServerWatch
  readonly #server: JobServer
  readonly #slots: ModelSlots
  readonly #listeners = new Set<() => void>()
  readonly #end = new AbortController()

  constructor(options: OpenAiServerOptions) {
    this.#options = options
    const { clock = systemClock, silentMs = SILENT_MS, onProblem = () => undefined } = options
    const address = readServerAddress(options.url, options.key)
    this.#watch = new ServerWatch({
      address,
      clock,
      onProblem,
      memory: options.memory ?? NO_MEMORY,
      onChange: () => this.#changed(),
      ...(options.models && { wanted: Object.values(options.models) }),
    })
    this.#slots = new ModelSlots({ address, clock, onChange: () => this.#changed() })
    this.#server = {
      address,
      clock,
      silentMs,
      running: new Map(),
      isReachable: () => this.#watch.isReachable,
      lookAgain: () => this.#watch.lookAgain(),
      withdraw: (model) => this.#watch.withdraw(model),
    }
  }

  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#options.isPatient === true) return this.#watch.start()
    const found = Promise.withResolvers<void>()
    const stopListening = this.onChange(() => this.models().length > 0 && found.resolve())
    this.#watch.start()
    await unlessAborted(Promise.race([found.promise, this.#watch.looked()]), signal).finally(stopListening)
    if (this.models().length > 0) return
    const why = this.#whyNothing()
    await this.stop()
    throw new EngineError('failed', why, { retryable: true })
  }

  models(): readonly DeviceModel[] {
    if (this.#end.signal.aborted) return []
    return this.#served()
      .map(({ name, model }) => this.#announce(name, model))
      .slice(0, MAX_MODELS_PER_DEVICE)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async stop(): Promise<void> {
    this.#end.abort(new EngineError('failed', 'The device is stopping', { retryable: true }))
    this.#slots.stop()
    await this.#watch.stop()
  }

  async probed(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    await Promise.race([this.#watch.looked(), aborted])
  }

  probeTable(): readonly ProbedModel[] {
    return this.#served().map(({ name, model }) =>
      readProbeTable(this.#announce(name, model), model, this.#watch.product),
    )
  }

  async *run(job: ChatJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncGenerator<ChatEvent> {
    const model = this.#served().find(({ name }) => name === job.model)?.model
    if (model === undefined || this.#end.signal.aborted)
      throw new EngineError('failed', 'The local server is not serving this model right now', { retryable: true })
    const { contextLength } = this.#announce(job.model, model)
    const { listed, abilities } = model
    const { id, slots } = listed
    const product = this.#watch.product.name
    const serverModel = { id, product, contextLength, abilities, slots }
    const turn = this.#learnedOf(model)?.begin()
    const noting = (progress: EngineProgress): void => {
      if (progress.phase === 'reasoning') turn?.piece()
      report(progress)
    }
    try {
      const bounded = AbortSignal.any([signal, this.#end.signal])
      for await (const event of runJob(job, serverModel, this.#server, bounded, noting)) {
        if (event.type !== 'end') turn?.piece()
        yield event
      }
    } finally {
      turn?.end()
    }
  }

  #changed(): void {
    this.#slots.keepOnly(new Set(this.#watch.models.map(({ listed }) => listed.id)))
    for (const listener of this.#listeners) listener()
  }

  /** Undefined if there is nothing to learn. */
  #learnedOf({ listed, mostRequests }: WatchedModel): LearnedSlots | undefined {
    if ((this.#options.slots ?? listed.slots) !== undefined) return undefined
    return this.#slots.of(listed.id, this.#watch.product.name, mostRequests)
  }

  #served(): { name: string; model: WatchedModel }[] {
    const named = this.#watch.models.map((model) => ({ name: model.listed.id, model }))
    const { models } = this.#options
    if (models === undefined) return named.filter(({ name }) => name.length <= MAX_NAME_LENGTH)
    const product = this.#watch.product.name
    return Object.entries(models).flatMap(([name, wanted]) =>
      named.filter(({ model }) => isNamed(wanted, model.listed.id, product)).map(({ model }) => ({ name, model })),
    )
  }

  #announce(name: string, model: WatchedModel): DeviceModel {
    const { listed, abilities, contextLength } = model
    const slots = this.#options.slots ?? listed.slots ?? this.#learnedOf(model)?.slots ?? 1
    return {
      name,
      contextLength: listed.contextLength ?? this.#options.contextLength ?? contextLength,
      slots: Math.min(slots, MAX_SLOTS),
      features: featuresOf(abilities),
    }
  }

  #whyNothing(): string {
    const { root } = readServerAddress(this.#options.url)
    if (this.#watch.keyError !== undefined) return `${root}: ${this.#watch.keyError.message}`
    if (!this.#watch.isReachable) return `No server found at ${root} → start it, or check the address`
    return `The server at ${root} has no usable model → load one there`
  }
}
