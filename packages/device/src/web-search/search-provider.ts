// The interface of a search provider: a query in, a few results out. Results are untrusted text.

import type { WebSearch } from '@hearth/protocol'

export interface SearchQuery {
  text: string
  /** The maximum number of results. */
  count: number
  location?: NonNullable<WebSearch['location']>
}

export interface SearchResult {
  url: string
  title: string
  snippet: string
}

export interface SearchProvider {
  /** For messages: 'SearXNG', 'Brave' or 'Tavily'. */
  readonly name: string
  /** True if its snippets are only a line or two, so the pages must be read for more. */
  readonly hasShortSnippets: boolean
  /** Throws SearchError. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult[]>
}

/** The message never contains the query or the API key. */
export class SearchError extends Error {
  override name = 'SearchError'
  /** The provider rejected the parameters; it may accept the query without the location. */
  readonly isRejection: boolean

  constructor(message: string, options: { isRejection?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.isRejection = options.isRejection ?? false
  }
}
