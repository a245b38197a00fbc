// Converts regular expressions to grammar, as far as a grammar can express them. The result matches the text inside a JSON string, so
// quotes, backslashes and control characters are escaped the way JSON does it.

import {
  EMPTY,
  characters,
  choice,
  codePoint,
  invertRanges,
  literal,
  repeat,
  sequence,
  type CharacterRange,
  type Expression,
} from '../grammar/expression.ts'
import { MAX_COUNT, type GrammarRules } from '../grammar/grammar-rules.ts'
import { lengthOf, placesIn } from '../grammar/analyze.ts'
import { CLASSES, UNICODE_CLASSES } from './character-classes.ts'
import { PLAIN, stringCharacter } from './json-text.ts'

const MAX_PATTERN = 512
const MAX_GROUPS = 16
/** Each token is tried in every place of the grammar that the text can have reached. */
const MAX_PLACES = 4000

/** Says what is wrong; the caller adds where. */
export class PatternError extends Error {
  override name = 'PatternError'
}

export interface Pattern {
  /** Matches the JSON text. */
  expression: Expression
  /** The number of characters in the value. */
  length: { min: number; max: number }
}

export function readPattern(source: string, rules: GrammarRules): Pattern {
  if (source.length > MAX_PATTERN) throw new PatternError(`a pattern can have at most ${MAX_PATTERN} characters`)
  const expression = new PatternReader(source, rules).read()
  if (placesIn(expression, rules) > MAX_PLACES)
    throw new PatternError(`its repetitions multiply to more than ${MAX_PLACES} places`)
  return { expression, length: lengthOf(expression, rules) }
}

class PatternReader {
  readonly #source: readonly string[]
  readonly #rules: GrammarRules
  #at = 0
  #depth = 0

  constructor(source: string, rules: GrammarRules) {
    this.#source = Array.from(source)
    this.#rules = rules
  }

  read(): Expression {
    const options = [this.#readAnchored()]
    while (this.#take('|')) options.push(this.#readAnchored())
    if (this.#at < this.#source.length)
      throw new PatternError(this.#isNext(')') ? 'unmatched ")"' : '"$" is only supported at the end')
    return choice(...options)
  }

  // Without anchors, a pattern can match anywhere in the text.
  #readAnchored(): Expression {
    const anything = repeat(stringCharacter(this.#rules), 0)
    const before = this.#take('^') ? EMPTY : anything
    const parts = this.#readParts()
    const after = this.#take('$') ? EMPTY : anything
    return sequence(before, ...parts, after)
  }

  #readParts(): Expression[] {
    const parts: Expression[] = []
    while (this.#at < this.#source.length && !this.#isNext('|') && !this.#isNext(')') && !this.#isNext('$'))
      parts.push(this.#readCount(this.#readAtom()))
    return parts
  }

  #readAtom(): Expression {
    const character = this.#next()
    switch (character) {
      case '(':
        return this.#readGroup()
      case '[':
        return toText(this.#readClass())
      case '.':
        return toText(invertRanges(CLASSES.newline))
      case '\\':
        return this.#readEscape()
      case '^':
        throw new PatternError('"^" is only supported at the beginning')
      case '*':
      case '+':
      case '?':
        throw new PatternError(`nothing to repeat before "${character}"`)
      default:
        return toText([[codePoint(character), codePoint(character)]])
    }
  }

  #readGroup(): Expression {
    if (++this.#depth > MAX_GROUPS) throw new PatternError(`groups can nest at most ${MAX_GROUPS} levels deep`)
    if (this.#take('?') && !this.#take(':')) throw new PatternError('only "(" and "(?:" groups can be enforced')
    const options = [sequence(...this.#readParts())]
    while (this.#take('|')) options.push(sequence(...this.#readParts()))
    if (this.#isNext('$')) throw new PatternError('"$" is only supported at the end')
    if (!this.#take(')')) throw new PatternError('unclosed "("')
    this.#depth--
    return options.length === 1 ? options[0]! : this.#rules.add('group', choice(...options))
  }

  #readCount(part: Expression): Expression {
    const [min, max] = this.#readBounds()
    if (min === 1 && max === 1) return part
    // A lazy quantifier changes which match is found, not whether there is one.
    this.#take('?')
    if (this.#isNext('*') || this.#isNext('+') || this.#isNext('{'))
      throw new PatternError("a repetition can't be repeated")
    if (max > 1 && lengthOf(part, this.#rules).min === 0)
      throw new PatternError("a part that can be empty can't be repeated")
    return repeat(this.#rules.add('part', part), min, max)
  }

  #readBounds(): [number, number] {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    const bounds = /^\{(\d+)(,(\d*))?\}/.exec(this.#source.slice(this.#at, this.#at + 16).join(''))
    if (bounds === null) return [1, 1]
    this.#at += bounds[0].length
    const min = Number(bounds[1])
    const max = bounds[2] === undefined ? min : bounds[3] === '' ? Number.POSITIVE_INFINITY : Number(bounds[3])
    if (min > MAX_COUNT || (Number.isFinite(max) && max > MAX_COUNT))
      throw new PatternError(`repetitions can't be enforced above ${MAX_COUNT}`)
    if (min > max) throw new PatternError('the bounds of a repetition are in the wrong order')
    return [min, max]
  }

  #readEscape(): Expression {
    return toText(this.#readClassEscape() ?? [this.#readCharacterEscape()])
  }

  #readClassEscape(): readonly CharacterRange[] | undefined {
    const name = this.#source[this.#at] ?? ''
    if (/^[bB1-9]$/.test(name)) throw new PatternError(`"\\${name}" can't be enforced`)
    if (name === 'p' || name === 'P') return this.#readUnicodeClass()
    if (!/^[dws]$/i.test(name)) return undefined
    this.#at++
    const ranges = CLASSES[name.toLowerCase() as 'd' | 'w' | 's']
    return name === name.toLowerCase() ? ranges : invertRanges(ranges)
  }

  #readUnicodeClass(): readonly CharacterRange[] {
    const name = /^p\{(\w+)\}/.exec(this.#source.slice(this.#at, this.#at + 24).join(''))
    const ranges = UNICODE_CLASSES[name?.[1] ?? '']
    if (name === null || ranges === undefined) throw new PatternError('this "\\p" class can\'t be enforced')
    this.#at += name[0].length
    return ranges
  }

  #readCharacterEscape(): CharacterRange {
    const name = this.#next()
    const control = { n: 10, r: 13, t: 9, f: 12, v: 11, '0': 0 }[name]
    const code = control ?? (name === 'x' ? this.#readHex(2) : name === 'u' ? this.#readUnicode() : codePoint(name))
    if (control === undefined && /^[a-wyzA-Z]$/.test(name) && name !== 'u')
      throw new PatternError(`"\\${name}" can't be enforced`)
    return [code, code]
  }

  #readUnicode(): number {
    const braced = /^\{([0-9a-fA-F]{1,6})\}/.exec(this.#source.slice(this.#at, this.#at + 8).join(''))
    if (braced === null) return this.#readHex(4)
    this.#at += braced[0].length
    return Number.parseInt(braced[1]!, 16)
  }

  #readHex(length: number): number {
    const digits = this.#source.slice(this.#at, this.#at + length).join('')
    if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length) throw new PatternError('incomplete escape')
    this.#at += length
    return Number.parseInt(digits, 16)
  }

  #readClass(): readonly CharacterRange[] {
    const isNegated = this.#take('^')
    const ranges: CharacterRange[] = []
    const begin = this.#at
    while (!this.#take(']')) ranges.push(...this.#readClassItem())
    // Only part of each Unicode class is known: enough to choose from, not enough to exclude.
    if (isNegated && this.#source.slice(begin, this.#at).join('').includes('\\p'))
      throw new PatternError('"\\p" in a negated class can\'t be enforced')
    if (ranges.length === 0) throw new PatternError('empty character class')
    return isNegated ? invertRanges(ranges) : ranges
  }

  #readClassItem(): readonly CharacterRange[] {
    const first = this.#readClassCharacter()
    const isRange = this.#isNext('-') && this.#source[this.#at + 1] !== ']'
    if (!isRange || first.length !== 1) return first
    this.#at++
    const [[from], last] = [first[0]!, this.#readClassCharacter()]
    if (last.length !== 1 || last[0]![0] < from) throw new PatternError('a character range is in the wrong order')
    return [[from, last[0]![1]]]
  }

  #readClassCharacter(): readonly CharacterRange[] {
    if (!this.#take('\\')) {
      const code = codePoint(this.#next())
      return [[code, code]]
    }
    if (this.#take('b')) return [[8, 8]]
    return this.#readClassEscape() ?? [this.#readCharacterEscape()]
  }

  #isNext(character: string): boolean {
    return this.#source[this.#at] === character
  }

  #take(character: string): boolean {
    if (!this.#isNext(character)) return false
    this.#at++
    return true
  }

  #next(): string {
    const character = this.#source[this.#at++]
    if (character === undefined) throw new PatternError('the pattern is incomplete')
    return character
  }
}

/** Characters that have a short escape in JSON. */
const ESCAPED = new Map([
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [10, '\\n'],
  [13, '\\r'],
  [9, '\\t'],
])

/** One character from `ranges`, as it appears inside a JSON string. */
function toText(ranges: readonly CharacterRange[]): Expression {
  const includes = (code: number) => ranges.some(([from, to]) => code >= from && code <= to)
  const plain = invertRanges([...invertRanges(ranges), ...invertRanges(PLAIN)])
  const isWide = ranges.some(([from, to]) => to - from > 0x400)
  // A class for nearly any character leaves out escapes, so that there are fewer ways to write the same text.
  const escapes = isWide ? [] : [...ESCAPED].filter(([code]) => includes(code)).map(([, text]) => literal(text, 1))
  const options = [...(plain.length > 0 ? [characters(...plain)] : []), ...escapes]
  if (options.length === 0) throw new PatternError("a control character can't be enforced")
  return choice(...options)
}
