// Finds where an answer cites its sources. Works on the delivered text of one choice, so that positions match it exactly.
// [1] and [1, 2]; some models write 【1】 or 【1†Oslo】.

import type { UrlCitation } from '@hearth/protocol'
import type { SearchResult } from './search-provider.ts'

const MARKS = /\[(\d{1,2}(?:, ?\d{1,2})*)\]|【(\d{1,2})(?:†[^】\n]{0,80})?】/g
// Code cites nothing: it may contain a[1].
const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g

export function findCitations(text: string, sources: readonly SearchResult[]): UrlCitation[] {
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
