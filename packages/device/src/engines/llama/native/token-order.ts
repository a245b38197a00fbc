// The tokens of a vocabulary in the order of their characters, so that those that begin alike are next to each other.

import { readCharacters, type Unfinished } from '@hearth/json-schema-grammar'
import { createTokenBytes } from './token-bytes.ts'
import type { Token, Vocabulary } from './vocabulary.ts'

export interface TokenOrder {
  /** Tokens that end a reply. Whether they fit doesn't depend on their characters. */
  readonly ends: readonly Token[]
  /** All other tokens that begin with a whole character. */
  readonly tokens: Uint32Array
  /** The characters of all of them; those of the first begin at `begins[0]`, and so on. */
  readonly codes: Uint32Array
  readonly begins: Uint32Array
  /** How many characters at the beginning (255 at most) each shares with the one before. */
  readonly shared: Uint8Array
  /** By their first character. */
  readonly groups: ReadonlyMap<number, { begin: number; end: number }>
  /** Characters that tokens end with, but don't finish. */
  readonly unfinished: ReadonlyMap<Token, Unfinished>
  /** Tokens that are only the beginning of a character. */
  readonly parts: readonly Token[]
  /** Tokens that begin inside a character. */
  readonly insides: readonly { token: Token; bytes: Uint8Array }[]
}

interface Named {
  token: Token
  codes: readonly number[]
  name: string
}

const LAST_CODE_POINT = 0x10ffff
const known = new WeakMap<Vocabulary, TokenOrder>()

/** The first call for a vocabulary reads it, which takes a while. */
export function tokenOrderOf(vocabulary: Vocabulary): TokenOrder {
  return known.getOrInsertComputed(vocabulary, readOrder)
}

function readOrder(vocabulary: Vocabulary): TokenOrder {
  const bytes = createTokenBytes(vocabulary)
  const all = Array.from({ length: vocabulary.size }, (_, token) => token)
  const texts = all.filter((token) => !vocabulary.isEnd(token))
  const unfinished = new Map<Token, Unfinished>()
  const named: Named[] = []
  const insides = texts
    .map((token) => ({ token, bytes: bytes.raw(token) }))
    .filter(({ bytes: [byte = 0] }) => byte >> 6 === 2)
  for (const token of texts) {
    const read = readCharacters(bytes.raw(token))
    // A character after the last one doesn't fit anywhere.
    if (read === undefined || read.codes.some((code) => code > LAST_CODE_POINT)) continue
    if (read.unfinished !== undefined) unfinished.set(token, read.unfinished)
    if (read.codes.length > 0) named.push({ token, codes: read.codes, name: String.fromCodePoint(...read.codes) })
  }
  const ends = all.filter((token) => vocabulary.isEnd(token))
  const whole = new Set(named.map(({ token }) => token))
  const parts = [...unfinished.keys()].filter((token) => !whole.has(token))
  return { ends, unfinished, parts, insides, ...tabulate(named.sort(byName)) }
}

function byName(a: Named, b: Named): number {
  return a.name < b.name ? -1 : Number(a.name > b.name)
}

function tabulate(sorted: readonly Named[]): Pick<TokenOrder, 'tokens' | 'codes' | 'begins' | 'shared' | 'groups'> {
  const begins = new Uint32Array(sorted.length + 1)
  for (const [index, { codes }] of sorted.entries()) begins[index + 1] = begins[index]! + codes.length
  const codes = new Uint32Array(begins[sorted.length]!)
  const groups = new Map<number, { begin: number; end: number }>()
  for (const [index, named] of sorted.entries()) {
    codes.set(named.codes, begins[index])
    const [first = 0] = named.codes
    groups.set(first, { begin: groups.get(first)?.begin ?? index, end: index + 1 })
  }
  return {
    tokens: Uint32Array.from(sorted, ({ token }) => token),
    codes,
    begins,
    shared: Uint8Array.from(sorted, (named, index) => countShared(named.codes, sorted[index - 1]?.codes ?? [])),
    groups,
  }
}

function countShared(codes: readonly number[], others: readonly number[]): number {
  const different = codes.findIndex((code, index) => code !== others[index])
  return Math.min(255, different === -1 ? codes.length : different)
}
