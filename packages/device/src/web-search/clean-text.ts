// Makes text from the web safe for a prompt: no markup, no invisible characters, limited length.

import { asFields, asList, type Fields } from '@hearth/sealing/fields'
import type { SearchResult } from './search-provider.ts'

const MAX_TITLE = 200
const MAX_SNIPPET = 2_000

// Control characters, bidirectional marks and zero-width characters can hide text that people don't see but models read.
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}]/gu

export function withoutUnseen(text: string): string {
  return text.replaceAll('\t', ' ').replace(UNSEEN, '')
}

/** Collapses the text into one line of limited length. */
export function oneLine(text: string, most: number): string {
  const line = withoutUnseen(text).replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`
}

/** Returns results with a URL that can be cited, without duplicates; `text` names the field with the snippet. */
export function cleanResults(list: unknown, text: string, count: number): SearchResult[] {
  const seen = new Set<string>()
  const results: SearchResult[] = []
  for (const value of asList(list)) {
    const result = readResult(asFields(value), text)
    if (result === undefined || seen.has(result.url)) continue
    seen.add(result.url)
    results.push(result)
  }
  return results.slice(0, count)
}

function readResult(fields: Fields, text: string): SearchResult | undefined {
  const url = readUrl(fields['url'])
  if (url === undefined) return undefined
  const title = oneLine(plain(fields['title']), MAX_TITLE)
  return {
    url,
    title: title === '' ? new URL(url).hostname : title,
    snippet: oneLine(plain(fields[text]), MAX_SNIPPET),
  }
}

function readUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  const url = new URL(value)
  url.hash = ''
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined
}

// Some providers highlight the words they found.
function plain(value: unknown): string {
  return typeof value === 'string' ? value.replace(/<\/?(b|em|strong|mark)>/gi, '') : ''
}
