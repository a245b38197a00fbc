// The tokens of a vocabulary by the bytes that they begin with. Where only some bytes can come next, most tokens are ruled out without
// looking at each.

import type { Token, Vocabulary } from './native.ts'
import { createTokenBytes } from './token-bytes.ts'

/** The tokens that begin with the same bytes. */
export interface TokenGroup {
  /** The token that is these bytes and nothing else. */
  readonly alone: Token | undefined
  /** Those that are in no part. */
  readonly tokens: readonly Token[]
  /** Tokens that continue with the same byte. */
  readonly parts: readonly TokenGroup[]
}

/** Larger groups are divided. */
const MAX_GROUP = 256

const known = new WeakMap<Vocabulary, TokenGroup>()

/** The group of all tokens. The first call for a vocabulary reads it, which takes a while. */
export function tokenGroupsOf(vocabulary: Vocabulary): TokenGroup {
  const found = known.get(vocabulary) ?? readGroups(vocabulary)
  known.set(vocabulary, found)
  return found
}

/** The tokens that may fit: all that don't begin with a token that doesn't fit. */
export function narrowTokens(group: TokenGroup, fits: (token: Token) => boolean): Token[] {
  if (group.alone !== undefined && !fits(group.alone)) return []
  return [...group.tokens, ...group.parts.flatMap((part) => narrowTokens(part, fits))]
}

function readGroups(vocabulary: Vocabulary): TokenGroup {
  const bytes = createTokenBytes(vocabulary)
  const named = Array.from({ length: vocabulary.size }, (_, token) => ({ token, bytes: bytes.raw(token) }))
  return divide(
    named.filter(({ bytes }) => bytes.length > 0),
    0,
  )
}

function divide(members: readonly { token: Token; bytes: Buffer }[], depth: number): TokenGroup {
  const alone = members.find(({ bytes }) => bytes.length === depth)?.token
  if (members.length <= MAX_GROUP) return { alone, tokens: members.map(({ token }) => token), parts: [] }
  const longer = Map.groupBy(members, ({ bytes }) => bytes[depth])
  const same = longer.get(undefined) ?? []
  longer.delete(undefined)
  const parts = Array.from(longer.values(), (part) => divide(part, depth + 1))
  return { alone, tokens: same.map(({ token }) => token), parts }
}
