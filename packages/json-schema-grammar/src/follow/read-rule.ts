// Reads rules of a llama.cpp grammar, in the part of its language that GrammarRules prints, and a
// little more.

import { choice, invertRanges, literal, repeat, rule, sequence, characters } from '../grammar/expression.ts'
import type { CharacterRange, Expression } from '../grammar/expression.ts'
import { MAX_COUNT } from '../grammar/grammar-rules.ts'

const PIECE = /\s*(?:"((?:[^"\\]|\\.)*)"|\[((?:[^\]\\]|\\.)+)\]|([a-zA-Z0-9-]+)|([|()*+?])|\{(\d+)(,?)(\d*)\}|$)/uy
const CHARACTER = /\\x([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})|\\([nrt"\\[\]])|([^\\])/uy
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
/** The library also counts what four bytes could stand for beyond the last code point. */
const LAST_VALUE = 0x3f_ff_ff
/** Deeper ones are not worth the stack. */
const MAX_DEPTH = 100

/** The body of a rule; undefined if there is none, or if it uses more of the language. */
export type BodyOf = (name: string) => Expression | undefined

/** Each rule is read when it is asked for. */
export function readRules(grammar: string): BodyOf {
  const bodies = findBodies(grammar)
  return (name) => {
    const body = bodies.get(name)
    return body === undefined ? undefined : readRule(body)
  }
}

/** None if a rule has more than one line, or a comment. */
function findBodies(grammar: string): ReadonlyMap<string, string> {
  const lines = grammar.split('\n').filter((line) => line !== '')
  const bodies = new Map<string, string>()
  for (const line of lines) {
    const [, name, body] = /^([a-zA-Z0-9-]+) ::= (.*)$/su.exec(line) ?? []
    if (name === undefined || body === undefined) return new Map()
    bodies.set(name, body)
  }
  return bodies
}

function readRule(body: string): Expression | undefined {
  try {
    return new RuleReader(body).read()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Unreadable extends Error {
  override name = 'Unreadable'
}

class RuleReader {
  readonly #text: string
  #at = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): Expression {
    const all = this.#readChoice()
    if (this.#at < this.#text.length) throw new Unreadable()
    return all
  }

  #readChoice(): Expression {
    if (this.#depth++ > MAX_DEPTH) throw new Unreadable()
    const options = [this.#readSequence()]
    while (this.#skip('|')) options.push(this.#readSequence())
    this.#depth--
    return choice(...options)
  }

  #readSequence(): Expression {
    const parts: Expression[] = []
    for (let part = this.#readPart(); part !== undefined; part = this.#readPart()) parts.push(this.#readCount(part))
    return sequence(...parts)
  }

  #readPart(): Expression | undefined {
    const { text, ranges, name, sign, count } = this.#look()
    if (sign === '(') return this.#readGroup()
    if (sign === '|' || sign === ')') return undefined
    if (sign !== undefined || count !== undefined) throw new Unreadable()
    this.#at = PIECE.lastIndex
    if (text !== undefined) return literal(readText(text))
    if (ranges !== undefined) return readRanges(ranges)
    return name === undefined ? undefined : rule(name)
  }

  #readGroup(): Expression {
    this.#skip('(')
    const group = this.#readChoice()
    if (!this.#skip(')')) throw new Unreadable()
    return group
  }

  #readCount(part: Expression): Expression {
    const { sign, count } = this.#look()
    const counted = count ?? ({ '*': [0], '+': [1], '?': [0, 1] } as Record<string, Count>)[sign ?? '']
    if (counted === undefined) return part
    const [min, max] = counted
    if (min > MAX_COUNT || (max !== undefined && max > MAX_COUNT)) throw new Unreadable()
    this.#at = PIECE.lastIndex
    return repeat(part, min, max)
  }

  #skip(sign: string): boolean {
    const isNext = this.#look().sign === sign
    if (isNext) this.#at = PIECE.lastIndex
    return isNext
  }

  #look(): Piece {
    PIECE.lastIndex = this.#at
    const found = PIECE.exec(this.#text)
    if (found === null) throw new Unreadable()
    const [, text, ranges, name, sign, min, comma, max] = found
    const count: Count | undefined = min === undefined ? undefined : countOf(Number(min), comma, max)
    return { text, ranges, name, sign, count }
  }
}

type Count = [min: number, max?: number]

interface Piece {
  text: string | undefined
  ranges: string | undefined
  name: string | undefined
  sign: string | undefined
  count: Count | undefined
}

function countOf(min: number, comma: string | undefined, max: string | undefined): Count {
  if (comma !== ',') return [min, min]
  return max === undefined || max === '' ? [min] : [min, Number(max)]
}

function readRanges(text: string): Expression {
  const isInverted = text.startsWith('^')
  const ranges = rangesOf(readEscaped(isInverted ? text.slice(1) : text))
  if (!isInverted) return characters(...ranges)
  // The library rules out more than these where a token ends inside a character.
  if (ranges.some(([, high]) => high >= 0x80)) throw new Unreadable()
  return characters(...invertRanges(ranges, 0, LAST_VALUE))
}

function rangesOf(all: readonly Escaped[]): CharacterRange[] {
  const ranges: CharacterRange[] = []
  for (let index = 0; index < all.length; index++) {
    const low = all[index]!.code
    const isRange = all[index + 1]?.isDash === true && index + 2 < all.length
    if (isRange) index += 2
    ranges.push([low, all[index]!.code])
  }
  return ranges
}

function readText(text: string): string {
  return readEscaped(text)
    .map(({ code }) => String.fromCodePoint(code))
    .join('')
}

interface Escaped {
  code: number
  /** Written as such, and not as an escape. */
  isDash: boolean
}

function readEscaped(text: string): Escaped[] {
  const all: Escaped[] = []
  for (CHARACTER.lastIndex = 0; CHARACTER.lastIndex < text.length;) {
    const found = CHARACTER.exec(text)
    if (found === null) throw new Unreadable()
    const [, byte, short, long, escaped, plain] = found
    const hex = byte ?? short ?? long
    const character = plain ?? CONTROLS[escaped ?? ''] ?? escaped ?? ''
    const code = hex === undefined ? character.codePointAt(0)! : Number.parseInt(hex, 16)
    if (code > 0x10ffff) throw new Unreadable()
    all.push({ code, isDash: plain === '-' })
  }
  return all
}
