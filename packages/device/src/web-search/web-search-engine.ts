// Adds the `web_search` feature to any engine: the provider's results go to the model with the conversation, and the answer's citations come
// back as annotations. Other jobs pass through unchanged.

import type { ChatEvent, ChatJob, DeviceModel, UrlCitation, WebSearch, JobMessage } from '@hearth/protocol'
import { systemClock, type Clock } from '../clock.ts'
import { EngineError, type ChangingEngine, type EngineProgress } from '../engines/engine.ts'
import { fetchPage, type Page } from './fetch-page.ts'
import { ProviderHealth } from './provider-health.ts'
import { createProvider, type ProviderOptions } from './providers.ts'
import { SearchError, type SearchProvider, type SearchResult } from './search-provider.ts'
import { withSources, type Source } from './sources.ts'
import { withoutUnseen, oneLine } from './clean-text.ts'
import { pageText } from './page-text.ts'

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
  readonly kind: string
  readonly #inner: ChangingEngine
  readonly #options: WebSearchOptions
  readonly #provider: SearchProvider
  readonly #clock: Clock
  readonly #health: ProviderHealth
  readonly #listeners = new Set<() => void>()

  constructor(inner: ChangingEngine, options: WebSearchOptions) {
    this.kind = inner.kind
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

// Finds where an answer cites its sources. Works on the delivered text of one choice, so that positions match it exactly.
// [1] and [1, 2]; some models write 【1】 or 【1†Oslo】.
const MARKS = /\[(\d{1,2}(?:, ?\d{1,2})*)\]|【(\d{1,2})(?:†[^】\n]{0,80})?】/g
// Code cites nothing: it may contain a[1].
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g

function findCitations(text: string, sources: readonly SearchResult[]): UrlCitation[] {
  const code = [...text.matchAll(CODE)].map(({ index, 0: whole }) => ({ from: index, to: index + whole.length }))
  return [...text.matchAll(MARKS)]
    .filter(({ index }) => !code.some(({ from, to }) => index >= from && index < to))
    .flatMap((match) => {
      const place = { start: match.index, end: match.index + match[0].length }
      return numbersIn(match[1] ?? match[2] ?? '').flatMap((number) => {
        const source = sources[number - 1]
        return source === undefined ? [] : [{ url: source.url, title: source.title, ...place }]
      })
    })
}

function numbersIn(text: string): number[] {
  return [...new Set(text.split(',').map(Number))]
}

// Finds the sources for a job: asks the provider, reads the pages if its snippets are too short, and keeps what fits the model.
interface FindOptions {
  provider: SearchProvider
  /** Absent reads no pages. */
  readPage?: (url: string, signal: AbortSignal) => Promise<Page | undefined>
  /** The model's context length, in tokens. */
  contextLength: number
}

const RESULTS: Record<NonNullable<WebSearch['contextSize']>, number> = { low: 3, medium: 5, high: 8 }
/** Total characters of all sources. */
const LENGTHS: Record<NonNullable<WebSearch['contextSize']>, number> = { low: 4_000, medium: 10_000, high: 24_000 }

/** Throws SearchError. */
async function findSources(job: ChatJob, options: FindOptions, signal: AbortSignal): Promise<Source[]> {
  const text = searchText(job.messages)
  if (text === undefined) return []
  const size = job.webSearch?.contextSize ?? 'medium'
  const location = job.webSearch?.location
  const query = { text, count: RESULTS[size], ...(location !== undefined && { location }) }
  const results = await options.provider.search(query, signal)
  // A token is about four characters, so one character per token of context makes the sources take at most a quarter of it.
  const length = Math.min(LENGTHS[size], options.contextLength) / Math.max(1, results.length)
  return Promise.all(results.map((result) => toSource(result, text, Math.floor(length), options, signal)))
}

async function toSource(
  result: SearchResult,
  question: string,
  length: number,
  { provider, readPage }: FindOptions,
  signal: AbortSignal,
): Promise<Source> {
  const page = provider.hasShortSnippets ? await readPage?.(result.url, signal) : undefined
  const read = page === undefined ? '' : page.isHtml ? pageText(page.text) : withoutUnseen(page.text)
  const passages = choosePassages(read, question, length)
  return { ...result, text: passages.length > result.snippet.length ? passages : result.snippet.slice(0, length) }
}

// Builds the search query from the conversation, without a model: the user's last message. A short follow-up ("and in Bergen?") means little
// alone, so the question before it is added; from a long message only the question is taken.
/** The limits of the providers. */
const MAX_LENGTH = 400
const MAX_WORDS = 50
const SHORT_WORDS = 6

/** Undefined if there is nothing to search for. */
export function searchText(messages: readonly JobMessage[]): string | undefined {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content.trim())
  const last = said.at(-1)
  if (last === undefined || last === '') return undefined
  const before = said.at(-2)
  const isFollowUp = before !== undefined && words(last).length <= SHORT_WORDS
  const text = isFollowUp ? `${questionIn(before)} ${last}` : questionIn(last)
  return words(oneLine(text, MAX_LENGTH).replace(/…$/, '')).slice(0, MAX_WORDS).join(' ')
}

function questionIn(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const questions = text.split(/\n|(?<=[.!?])\s/).filter((line) => line.trim().endsWith('?'))
  return questions.at(-1) ?? text
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

// Picks the passages of a page that match the question best, in the page's order.
const PASSAGE_LENGTH = 400

export function choosePassages(text: string, question: string, maxLength: number): string {
  const passages = splitPassages(text)
  const wanted = new Set(wordsOf(question))
  const scored = passages.map((passage, place) => ({ passage, place, score: score(passage, wanted) }))
  // If nothing matches, the start of the page is the best guess.
  const best = scored.toSorted((a, b) => b.score - a.score || a.place - b.place)
  let room = maxLength
  const chosen = best.filter(({ passage }) => {
    const fits = passage.length <= room
    if (fits) room -= passage.length + 3
    return fits
  })
  if (chosen.length === 0) return text.slice(0, maxLength)
  return chosen
    .toSorted((a, b) => a.place - b.place)
    .map(({ passage }) => passage)
    .join(' … ')
}

function splitPassages(text: string): string[] {
  const passages: string[] = []
  for (const line of text.split('\n').flatMap(cutLong)) {
    const last = passages.at(-1)
    if (last !== undefined && last.length + line.length < PASSAGE_LENGTH)
      passages[passages.length - 1] = `${last} ${line}`
    else passages.push(line)
  }
  return passages
}

function cutLong(line: string): string[] {
  const count = Math.ceil(line.length / PASSAGE_LENGTH)
  return Array.from({ length: count }, (_, at) => line.slice(at * PASSAGE_LENGTH, (at + 1) * PASSAGE_LENGTH))
}

function score(passage: string, wanted: ReadonlySet<string>): number {
  return new Set(wordsOf(passage).filter((word) => wanted.has(word))).size
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
}
