// The supported search providers, each with its own URL, API key and response format.

import { asFields } from '@hearth/sealing/fields'
import { readServerAddress } from '../engines/openai-server/http/server-address.ts'
import { askProvider, type ProviderRequest } from './ask-provider.ts'
import { cleanResults } from './clean-text.ts'
import { SearchError, type SearchProvider, type SearchQuery, type SearchResult } from './search-provider.ts'

export interface ProviderOptions {
  name: 'searxng' | 'brave' | 'tavily'
  /** The URL of SearXNG. For the other providers, only set in tests. */
  url?: string
  /** The API key for Brave or Tavily. */
  key?: string
}

const KEY_ADVICE = {
  401: 'check the API key',
  403: 'check the API key',
  429: 'rate limit or quota exceeded',
}

export function createProvider(options: ProviderOptions): SearchProvider {
  const create = { searxng: createSearxng, brave: createBrave, tavily: createTavily }[options.name]
  return tolerant(create(options))
}

function createSearxng({ url = 'http://127.0.0.1:8888' }: ProviderOptions): SearchProvider {
  const { root } = readServerAddress(url)
  return {
    name: 'SearXNG',
    hasShortSnippets: true,
    async search({ text, count, location }, signal) {
      const asked = new URL(`${root}/search`)
      asked.search = new URLSearchParams({ q: text, format: 'json', ...languageOf(location) }).toString()
      const advice = { 403: 'add json to search.formats in its settings.yml' }
      const answer = await askProvider({ provider: 'SearXNG', url: asked, advice }, signal)
      return cleanResults(asFields(answer)['results'], 'content', count)
    },
  }
}

function createBrave({ key = '', url = 'https://api.search.brave.com' }: ProviderOptions): SearchProvider {
  return {
    name: 'Brave',
    hasShortSnippets: true,
    async search({ text, count, location }, signal) {
      const asked = new URL(`${url}/res/v1/web/search`)
      const country = location?.country
      const terms = { q: text, count: String(count), result_filter: 'web', text_decorations: 'false' }
      asked.search = new URLSearchParams({ ...terms, ...(country !== undefined && { country }) }).toString()
      const headers = { 'x-subscription-token': key, ...placeHeaders(location) }
      const answer = await askProvider({ provider: 'Brave', url: asked, headers, advice: KEY_ADVICE }, signal)
      return cleanResults(asFields(asFields(answer)['web'])['results'], 'description', count)
    },
  }
}

function createTavily({ key = '', url = 'https://api.tavily.com' }: ProviderOptions): SearchProvider {
  return {
    name: 'Tavily',
    hasShortSnippets: false,
    async search({ text, count, location }, signal) {
      const country = countryName(location)
      const request: ProviderRequest = {
        provider: 'Tavily',
        url: new URL(`${url}/search`),
        headers: { authorization: `Bearer ${key}` },
        body: { query: text, max_results: count, topic: 'general', ...(country !== undefined && { country }) },
        advice: { ...KEY_ADVICE, 432: 'plan limit reached', 433: 'plan limit reached' },
      }
      return cleanResults(asFields(await askProvider(request, signal))['results'], 'content', count)
    },
  }
}

/** Providers support different countries. If one rejects a query, it is asked again without the location. */
function tolerant(provider: SearchProvider): SearchProvider {
  const search = async ({ location, ...query }: SearchQuery, signal: AbortSignal): Promise<SearchResult[]> => {
    if (location === undefined) return provider.search(query, signal)
    try {
      return await provider.search({ ...query, location }, signal)
    } catch (error) {
      if (error instanceof SearchError && error.isRejection) return provider.search(query, signal)
      throw error
    }
  }
  return { name: provider.name, hasShortSnippets: provider.hasShortSnippets, search }
}

/** SearXNG takes the location as a language with a region: the country's most common language. */
function languageOf(location: SearchQuery['location']): { language?: string } {
  const country = location?.country
  if (country === undefined || !/^[A-Za-z]{2}$/.test(country)) return {}
  return { language: `${new Intl.Locale(`und-${country}`).maximize().language}-${country.toUpperCase()}` }
}

function countryName(location: SearchQuery['location']): string | undefined {
  const country = location?.country
  if (country === undefined || !/^[A-Za-z]{2}$/.test(country)) return undefined
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(country.toUpperCase())?.toLowerCase()
}

function placeHeaders(location: SearchQuery['location']): Record<string, string> {
  const places = {
    'x-loc-city': location?.city,
    'x-loc-state-name': location?.region,
    'x-loc-country': location?.country,
    'x-loc-timezone': location?.timezone,
  }
  // A header may contain only ASCII and no line breaks.
  return Object.fromEntries(
    Object.entries(places).filter((entry): entry is [string, string] => /^[ -~]{1,64}$/.test(entry[1] ?? '')),
  )
}
