// The search providers a device can be set up with, each with its own address, key and shape of results.

import { readServerAddress } from '../engines/openai-server/server-address.ts'
import { askProvider, type ProviderRequest } from './ask-provider.ts'
import { cleanResults } from './clean-text.ts'
import { SearchError, type SearchProvider, type SearchQuery, type SearchResult } from './search-provider.ts'

export interface ProviderOptions {
  name: 'searxng' | 'brave' | 'tavily'
  /** Of SearXNG: where it runs. Of the others only for tests. */
  url?: string
  /** Of Brave and Tavily. */
  key?: string
}

const KEY_ADVICE = { 401: 'the key is not accepted', 403: 'the key is not accepted', 429: 'the plan is used up' }

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
      const advice = { 403: 'allow json under search: formats: in its settings.yml' }
      const answer = await askProvider({ provider: 'SearXNG', url: asked, advice }, signal)
      return cleanResults(fieldOf(answer, 'results'), 'content', count)
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
      return cleanResults(fieldOf(fieldOf(answer, 'web'), 'results'), 'description', count)
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
        advice: { ...KEY_ADVICE, 432: 'the plan is used up', 433: 'the plan is used up' },
      }
      return cleanResults(fieldOf(await askProvider(request, signal), 'results'), 'content', count)
    },
  }
}

/** Providers know different countries: one that refuses a question is asked once more without the place. */
function tolerant(provider: SearchProvider): SearchProvider {
  const search = async ({ location, ...query }: SearchQuery, signal: AbortSignal): Promise<SearchResult[]> => {
    if (location === undefined) return provider.search(query, signal)
    try {
      return await provider.search({ ...query, location }, signal)
    } catch (error) {
      if (error instanceof SearchError && error.isRefusal) return provider.search(query, signal)
      throw error
    }
  }
  return { name: provider.name, hasShortSnippets: provider.hasShortSnippets, search }
}

/** SearXNG takes the place as a language with a region: that which most people there speak. */
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
  // A header holds nothing beyond ASCII, and never a line break.
  return Object.fromEntries(
    Object.entries(places).filter((entry): entry is [string, string] => /^[ -~]{1,64}$/.test(entry[1] ?? '')),
  )
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}
