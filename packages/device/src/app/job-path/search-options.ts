// Web search as the owner configured it.

import type { Settings } from '../../settings/settings.ts'
import type { WebSearchOptions } from '../../web-search/web-search-engine.ts'

/** Undefined if web search is not configured. */
export function searchOptions({ search, searchUrl, searchKey, searchPages }: Settings): WebSearchOptions | undefined {
  if (search === 'off') return undefined
  return {
    provider: {
      name: search,
      ...(searchUrl !== undefined && { url: searchUrl.href }),
      ...(searchKey !== undefined && { key: searchKey }),
    },
    readsPages: searchPages,
  }
}
