// Finds the sources for a job: asks the provider, reads the pages if its snippets are too short, and keeps what fits the model.

import type { ChatJob, WebSearch } from '@hearth/protocol'
import type { Page } from './fetch-page.ts'
import type { SearchProvider, SearchResult } from './search-provider.ts'
import type { Source } from './sources.ts'
import { withoutUnseen } from './clean-text.ts'
import { pageText } from './page-text.ts'
import { choosePassages } from './choose-passages.ts'
import { searchText } from './search-text.ts'

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
export async function findSources(job: ChatJob, options: FindOptions, signal: AbortSignal): Promise<Source[]> {
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
