// The tokens of a vocabulary in the order of their bytes. A token that begins like one that doesn't fit doesn't fit either. So where only
// some bytes can come next, most tokens are ruled out without looking at each.

import type { Token, Vocabulary } from './native.ts'
import { createTokenBytes } from './token-bytes.ts'

export interface TokenOrder {
  /** Tokens that end a reply. Whether they fit doesn't depend on their bytes. */
  readonly ends: readonly Token[]
  /** All other tokens that have bytes. */
  readonly tokens: Uint32Array
  /** For each of them, the index of the next that doesn't begin with its bytes. */
  readonly skips: Uint32Array
  /** Where those are that begin inside a character. */
  readonly inside: { begin: number; end: number }
}

export interface FittingLimits {
  tokens: number
  comparisons: number
}

const known = new WeakMap<Vocabulary, TokenOrder>()

/** The first call for a vocabulary reads it, which takes a while. */
export function tokenOrderOf(vocabulary: Vocabulary): TokenOrder {
  const found = known.get(vocabulary) ?? readOrder(vocabulary)
  known.set(vocabulary, found)
  return found
}

/** All tokens that fit; undefined if finding them exceeds a limit. */
export function findFitting(
  { ends, tokens, skips, inside }: TokenOrder,
  fits: (token: Token) => boolean,
  limits: FittingLimits,
): Token[] | undefined {
  const found = ends.filter(fits)
  const ended = found.length
  let comparisons = ends.length
  for (let index = 0; index < tokens.length; comparisons++) {
    if (found.length > limits.tokens || comparisons > limits.comparisons) return undefined
    const token = tokens[index]!
    const isFitting = fits(token)
    if (isFitting) found.push(token)
    index = isFitting ? index + 1 : skips[index]!
    // Where a character can begin, no token fits that begins inside of one.
    if (index === inside.begin && found.length > ended) index = inside.end
  }
  return found.length > limits.tokens ? undefined : found
}

function readOrder(vocabulary: Vocabulary): TokenOrder {
  const bytes = createTokenBytes(vocabulary)
  const all = Array.from({ length: vocabulary.size }, (_, token) => token)
  const named = all
    .filter((token) => !vocabulary.isEnd(token))
    .map((token) => ({ token, name: bytes.raw(token).toString('latin1') }))
    .filter(({ name }) => name !== '')
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
  return {
    ends: all.filter((token) => vocabulary.isEnd(token)),
    tokens: Uint32Array.from(named, ({ token }) => token),
    skips: findSkips(named.map(({ name }) => name)),
    inside: { begin: countBelow(named, '\u0080'), end: countBelow(named, '\u00c0') },
  }
}

function countBelow(sorted: readonly { name: string }[], name: string): number {
  const index = sorted.findIndex((other) => other.name >= name)
  return index === -1 ? sorted.length : index
}

function findSkips(sorted: readonly string[]): Uint32Array {
  const skips = new Uint32Array(sorted.length).fill(sorted.length)
  // Each begins with the bytes of those before it.
  const open: { index: number; name: string }[] = []
  for (const [index, name] of sorted.entries()) {
    for (let last = open.at(-1); last !== undefined && !name.startsWith(last.name); last = open.at(-1)) {
      skips[last.index] = index
      open.pop()
    }
    open.push({ index, name })
  }
  return skips
}
