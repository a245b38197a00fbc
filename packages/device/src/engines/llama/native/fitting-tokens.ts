// Finds the tokens that fit at a place of a grammar where few characters can come next, without asking the library about each.

import {
  isAlive,
  mayContinue,
  nextCharacters,
  possibleCharacters,
  readCharacters,
  type GrammarFollower,
  type Place,
  type Unfinished,
} from '@hearth/json-schema-grammar'
import type { TokenOrder } from './token-order.ts'
import type { Token } from './vocabulary.ts'

/** How far a text has come: to a place, and into the next character. */
export interface Position {
  place: Place
  unfinished: Unfinished | undefined
}

/** More than these are many. */
export interface FewLimits {
  tokens: number
  /** That can come next. */
  characters: number
  /** Frames to look at (see GrammarFollower). */
  work: number
}

/** Undefined if there are many, or if the grammar is more than `follower` can follow. */
export function findFitting(
  order: TokenOrder,
  follower: GrammarFollower,
  { place, unfinished }: Position,
  limits: FewLimits,
): Token[] | undefined {
  const search: Search = {
    order,
    follower,
    limits,
    spent: () => follower.work,
    end: follower.work + limits.work,
    found: [],
  }
  if (unfinished !== undefined) return findRest(search, place, unfinished)
  const characters = nextCharacters(place, limits.characters)
  if (characters === undefined) return undefined
  for (const code of characters) if (!findGroup(search, place, code)) return undefined
  const found = withOthers(search, place)
  return found.length > limits.tokens ? undefined : found
}

/** All that fit, however many; undefined if that takes more effort than this, or if the grammar is more than `follower` can follow. */
export function findAllFitting(
  order: TokenOrder,
  follower: GrammarFollower,
  { place, unfinished }: Position,
  work: number,
): Token[] | undefined {
  const limits = { tokens: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY, work }
  const search: Search = {
    order,
    follower,
    limits,
    spent: () => follower.effort,
    end: follower.effort + work,
    found: [],
  }
  if (unfinished !== undefined) return findRest(search, place, unfinished)
  for (const code of order.groups.keys())
    if (mayContinue(place, code, code) && !findGroup(search, place, code)) return undefined
  return withOthers(search, place)
}

/** With tokens that don't begin with a whole character. */
function withOthers({ order, found }: Search, place: Place): Token[] {
  const parts = order.parts.filter((token) => mayBecome(place, order.unfinished.get(token)))
  return [...found, ...parts, ...(place.mayEnd ? order.ends : [])]
}

interface Search {
  order: TokenOrder
  follower: GrammarFollower
  limits: FewLimits
  spent: () => number
  /** Of what may be spent. */
  end: number
  found: Token[]
}

/** The position behind these bytes; 'none' if they don't fit. */
export function advance(
  follower: GrammarFollower,
  { place, unfinished }: Position,
  bytes: Uint8Array,
): Position | 'none' | 'unknown' {
  const read = readCharacters(bytes, unfinished)
  if (read === undefined) return 'none'
  let at = place
  for (const code of read.codes) {
    const next = follower.step(at, code)
    if (next === undefined) return 'unknown'
    at = next
  }
  const isFitting = isAlive(at) && (read.unfinished === undefined || mayBecome(at, read.unfinished))
  return isFitting ? { place: at, unfinished: read.unfinished } : 'none'
}

function findRest(search: Search, place: Place, unfinished: Unfinished): Token[] | undefined {
  for (const { token, bytes } of search.order.insides) {
    const position = advance(search.follower, { place, unfinished }, bytes)
    if (position === 'unknown' || isOver(search)) return undefined
    if (position !== 'none') search.found.push(token)
  }
  return search.found
}

function isOver({ spent, limits, end, found }: Search): boolean {
  return spent() > end || found.length > limits.tokens
}

/** Adds the tokens that begin with a character. False if there are many, or if the grammar is more than can be followed. */
function findGroup(search: Search, from: Place, first: number): boolean {
  const { order, follower, found } = search
  const { begin, end } = order.groups.get(first) ?? { begin: 0, end: 0 }
  /** Where each character of the last token has led. */
  const places: Place[] = [from]
  for (let index = begin; index < end; index++) {
    const length = order.begins[index + 1]! - order.begins[index]!
    // Those that begin like one that doesn't fit don't fit either.
    let depth = index === begin ? 0 : Math.min(order.shared[index]!, places.length - 1)
    if (!isAlive(places[depth]!)) continue
    places.length = depth + 1
    while (depth < length && isAlive(places[depth]!)) {
      const next = follower.step(places[depth]!, order.codes[order.begins[index]! + depth]!)
      if (next === undefined || isOver(search)) return false
      places[++depth] = next
    }
    const token = order.tokens[index]!
    const isFitting = isAlive(places[depth]!) && mayBecome(places[depth]!, order.unfinished.get(token))
    if (isFitting) found.push(token)
  }
  return true
}

function mayBecome(place: Place, unfinished: Unfinished | undefined): boolean {
  if (unfinished === undefined) return true
  const range = possibleCharacters(unfinished)
  return range !== undefined && mayContinue(place, ...range)
}
