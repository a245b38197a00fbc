// What a search provider is to the rest: a question in, a few results out. Results are the words of strangers.

import type { WebSearch } from '@hearth/protocol'

export interface SearchQuery {
  text: string
  /** Results wanted; fewer may come. */
  count: number
  location?: NonNullable<WebSearch['location']>
}

export interface SearchResult {
  url: string
  title: string
  snippet: string
}

export interface SearchProvider {
  /** As its owner knows it: 'SearXNG', 'Brave', 'Tavily'. */
  readonly name: string
  /** Its snippets are a line or two: pages have to be read for more. */
  readonly hasShortSnippets: boolean
  /** Throws SearchError. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult[]>
}

/** The message names neither the question nor the key. */
export class SearchError extends Error {
  override name = 'SearchError'
  /** The provider understood the question but not its terms: without the location it may do. */
  readonly isRefusal: boolean

  constructor(message: string, options: { isRefusal?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.isRefusal = options.isRefusal ?? false
  }
}
