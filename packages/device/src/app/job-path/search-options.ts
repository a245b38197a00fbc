// Web search as the owner configured it.

import { present } from '@hearth/command-line/present'
import type { Settings } from '../../settings/settings.ts'
import type { WebSearchOptions } from '../../web-search/web-search-engine.ts'

/** Undefined if web search is not configured. */
export function searchOptions({ search, searchUrl, searchKey, searchPages }: Settings): WebSearchOptions | undefined {
  if (search === 'off') return undefined
  return { provider: present({ name: search, url: searchUrl?.href, key: searchKey }), readsPages: searchPages }
}
