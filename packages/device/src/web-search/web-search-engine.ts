// Adds the `web_search` feature to any engine: the provider's results go to the model with the conversation, and the answer's citations come
// back as annotations. Other jobs pass through unchanged.

import type { ChatEvent, ChatJob, DeviceModel } from '@hearth/protocol'
import { systemClock, type Clock } from '../clock.ts'
import { EngineError, type ChangingEngine, type EngineProgress } from '../engines/engine.ts'
import { fetchPage, type Page } from './fetch-page.ts'
import { ProviderHealth } from './provider-health.ts'
import { createProvider, type ProviderOptions } from './providers.ts'
import { SearchError, type SearchProvider } from './search-provider.ts'
import { withSources, type Source } from './sources.ts'
import { findSources } from './find-sources.ts'
import { findCitations } from './find-citations.ts'

export interface WebSearchOptions {
  provider: ProviderOptions
  /** False gives the model only the provider's snippets. */
  readsPages?: boolean
  clock?: Clock
  /** For the owner's log; never contains the query. */
  onProblem?: (text: string) => void
  /** Replaces how pages are read, in tests. */
  readPage?: (url: string, signal: AbortSignal) => Promise<Page | undefined>
}

export function createWebSearchEngine(inner: ChangingEngine, options: WebSearchOptions): ChangingEngine {
  return new SearchingEngine(inner, options)
}

class SearchingEngine implements ChangingEngine {
  readonly #inner: ChangingEngine
  readonly #options: WebSearchOptions
  readonly #provider: SearchProvider
  readonly #clock: Clock
  readonly #health: ProviderHealth
  readonly #listeners = new Set<() => void>()

  constructor(inner: ChangingEngine, options: WebSearchOptions) {
    this.#inner = inner
    this.#options = options
    this.#provider = createProvider(options.provider)
    this.#clock = options.clock ?? systemClock
    const changed = (): void => this.#listeners.forEach((listener) => listener())
    this.#health = new ProviderHealth({
      provider: this.#provider,
      clock: this.#clock,
      onProblem: options.onProblem ?? (() => undefined),
      onChange: changed,
    })
    inner.onChange(changed)
  }

  /** Local servers may come while it runs. */
  get kind(): string {
    return this.#inner.kind
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#inner.start(signal), this.#health.check()])
  }

  models(): readonly DeviceModel[] {
    const models = this.#inner.models()
    if (!this.#health.isWorking) return models
    return models.map((model) => ({ ...model, features: [...model.features, 'web_search'] }))
  }

  run(job: ChatJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncIterable<ChatEvent> {
    return job.webSearch === undefined ? this.#inner.run(job, signal, report) : this.#search(job, signal, report)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  stop(): Promise<void> {
    this.#health.stop()
    return this.#inner.stop()
  }

  async *#search(
    job: ChatJob,
    signal: AbortSignal,
    report: (progress: EngineProgress) => void,
  ): AsyncGenerator<ChatEvent> {
    report({ phase: 'searching' })
    const sources = await this.#findSources(job, signal)
    const asksForCitations = job.responseFormat === undefined
    const location = job.webSearch?.location
    const asked = withSources(unrecoverable(job), sources, {
      date: this.#clock.date(),
      asksForCitations,
      ...(location !== undefined && { location }),
    })
    const answer = this.#inner.run(asked, signal, report)
    yield* asksForCitations ? citing(answer, sources, job.n ?? 1) : answer
  }

  async #findSources(job: ChatJob, signal: AbortSignal): Promise<Source[]> {
    const contextLength = this.#inner.models().find(({ name }) => name === job.model)?.contextLength ?? 4_096
    const { readsPages = true, readPage = fetchPage } = this.#options
    try {
      const options = { provider: this.#provider, contextLength, ...(readsPages && { readPage }) }
      const sources = await findSources(job, options, signal)
      this.#health.succeeded()
      return sources
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof SearchError)) throw error
      this.#health.failed(error)
      throw new EngineError('failed', `Web search failed: ${error.message}`, { retryable: true })
    }
  }
}

/** Another device would find other sources, so it couldn't continue the reply. */
function unrecoverable(job: ChatJob): ChatJob {
  const copy = { ...job }
  delete copy.recovery
  return copy
}

/** The citations of all choices come right before the end, when their texts are complete. */
async function* citing(
  events: AsyncIterable<ChatEvent>,
  sources: readonly Source[],
  choices: number,
): AsyncGenerator<ChatEvent> {
  const texts = Array.from({ length: choices }, () => '')
  for await (const event of events) {
    if (event.type === 'text') texts[event.choice] += event.text
    if (event.type === 'end')
      for (const [choice, text] of texts.entries()) {
        const annotations = findCitations(text, sources)
        if (annotations.length > 0) yield { type: 'annotations', choice, annotations }
      }
    yield event
  }
}
