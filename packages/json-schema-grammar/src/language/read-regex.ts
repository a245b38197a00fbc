// Reads a regular expression in the dialect of JSON Schema (ECMAScript with the u flag), as far as
// it can be enforced.

import { codePoint, invertRanges, type CharacterRange } from '../grammar/expression.ts'
import { MAX_COUNT } from '../grammar/grammar-rules.ts'
import { onlyOne } from '../only-one.ts'
import { CLASSES, unicodeClass, westernClass, withinWestern } from './character-classes.ts'
import { PatternError } from './language.ts'
import type { Regex } from './regex.ts'

const MAX_PATTERN = 2000
/** Our own patterns, for formats, may be longer. */
const MAX_TRUSTED = 100_000
const MAX_GROUPS = 32

export interface ReadRegex {
  regex: Regex
  /** False if the texts are only some of those that the pattern matches. */
  isExact: boolean
}

/** Throws PatternError. */
export function readRegex(source: string, isTrusted = false): ReadRegex {
  if (source.length > (isTrusted ? MAX_TRUSTED : MAX_PATTERN))
    throw new PatternError(`a pattern can have at most ${MAX_PATTERN} characters`)
  const reader = new RegexReader(source)
  return { regex: reader.read(), isExact: reader.isExact }
}

class RegexReader {
  isExact = true
  readonly #source: readonly string[]
  #at = 0
  #depth = 0
  /** Inside a class like [^…]. */
  #isExcluding = false

  constructor(source: string) {
    this.#source = Array.from(source)
  }

  read(): Regex {
    const regex = this.#readChoice()
    if (this.#at < this.#source.length) throw new PatternError('unmatched ")"')
    return regex
  }

  #readChoice(): Regex {
    const options = [this.#readSequence()]
    while (this.#take('|')) options.push(this.#readSequence())
    return onlyOne(options) ?? { type: 'choice', options }
  }

  #readSequence(): Regex {
    const parts: Regex[] = []
    while (this.#at < this.#source.length && !this.#isNext('|') && !this.#isNext(')'))
      parts.push(this.#readCount(this.#readAtom()))
    return onlyOne(parts) ?? { type: 'sequence', parts }
  }

  #readAtom(): Regex {
    const character = this.#next()
    switch (character) {
      case '(':
        return this.#readGroup()
      case '[':
        return { type: 'characters', ranges: this.#readClass() }
      case '.':
        return { type: 'characters', ranges: invertRanges(CLASSES.newline) }
      case '\\':
        return { type: 'characters', ranges: this.#readClassEscape() ?? [this.#readCharacterEscape()] }
      case '^':
        return { type: 'begin' }
      case '$':
        return { type: 'end' }
      case '*':
      case '+':
      case '?':
        throw new PatternError(`nothing to repeat before "${character}"`)
      default:
        return { type: 'characters', ranges: [[codePoint(character), codePoint(character)]] }
    }
  }

  #readGroup(): Regex {
    if (++this.#depth > MAX_GROUPS) throw new PatternError(`groups can nest at most ${MAX_GROUPS} levels deep`)
    const kind = this.#readKind()
    const part = kind === 'not-ahead' ? this.#readExactly() : this.#readChoice()
    if (!this.#take(')')) throw new PatternError('unclosed "("')
    this.#depth--
    return kind === 'group' ? part : { type: 'lookahead', part, isNegative: kind === 'not-ahead' }
  }

  // Texts that are only some of those to exclude would let the others through.
  #readExactly(): Regex {
    const before = this.isExact
    this.isExact = true
    const part = this.#readChoice()
    if (!this.isExact) throw new PatternError('classes like "\\p" in a negative lookahead can\'t be enforced')
    this.isExact = before
    return part
  }

  #readKind(): 'group' | 'ahead' | 'not-ahead' {
    if (!this.#take('?')) return 'group'
    if (this.#take(':')) return 'group'
    if (this.#take('=')) return 'ahead'
    if (this.#take('!')) return 'not-ahead'
    const name = /^<\w+>/.exec(this.#ahead(64))
    if (name === null) throw new PatternError(`"(?${this.#ahead(2)}" can't be enforced`)
    this.#at += name[0].length
    return 'group'
  }

  #readCount(part: Regex): Regex {
    const [min, max] = this.#readBounds()
    if (min === 1 && max === 1) return part
    // A lazy quantifier changes which match is found, not whether there is one.
    this.#take('?')
    if (/^(?:[*+]|\{\d)/.test(this.#ahead(2))) throw new PatternError("a repetition can't be repeated")
    return { type: 'repeat', part, min, max }
  }

  #readBounds(): [number, number] {
    if (this.#take('*')) return [0, Number.POSITIVE_INFINITY]
    if (this.#take('+')) return [1, Number.POSITIVE_INFINITY]
    if (this.#take('?')) return [0, 1]
    const bounds = /^\{(\d+)(,(\d*))?\}/.exec(this.#ahead(16))
    if (bounds === null) return [1, 1]
    this.#at += bounds[0].length
    const min = Number(bounds[1])
    const max = bounds[2] === undefined ? min : bounds[3] === '' ? Number.POSITIVE_INFINITY : Number(bounds[3])
    if (min > MAX_COUNT) throw new PatternError(`repetitions can't be enforced above ${MAX_COUNT}`)
    if (min > max) throw new PatternError('the bounds of a repetition are in the wrong order')
    // A lower maximum is stricter, never looser.
    if (Number.isFinite(max) && max > MAX_COUNT) this.isExact = false
    return [min, Number.isFinite(max) ? Math.min(max, MAX_COUNT) : max]
  }

  #readClassEscape(): readonly CharacterRange[] | undefined {
    const name = this.#source[this.#at] ?? ''
    if (/^[bB1-9k]$/.test(name)) throw new PatternError(`"\\${name}" can't be enforced`)
    if (name === 'p' || name === 'P') return this.#readUnicodeClass()
    if (!/^[dws]$/i.test(name)) return undefined
    this.#at++
    const ranges = CLASSES[name.toLowerCase() as 'd' | 'w' | 's']
    return name === name.toLowerCase() ? ranges : invertRanges(ranges)
  }

  #readUnicodeClass(): readonly CharacterRange[] {
    const name = /^p\{(?:General_Category=|gc=)?(\w+)\}/i.exec(this.#ahead(48))
    const [text = '', className = ''] = name ?? []
    const isNegated = text.startsWith('P')
    // To leave characters out, all of them have to be known.
    const members = isNegated || this.#isExcluding ? westernClass(className) : unicodeClass(className)
    const ranges = members && isNegated ? withinWestern(invertRanges(members)) : members
    if (ranges === undefined || (ranges.length === 0 && !this.#isExcluding))
      throw new PatternError('this "\\p" class can\'t be enforced')
    this.#at += text.length
    this.isExact = false
    return ranges
  }

  #readCharacterEscape(): CharacterRange {
    const name = this.#next()
    const control = { n: 10, r: 13, t: 9, f: 12, v: 11, '0': 0 }[name]
    const code = control ?? this.#readCode(name)
    return [code, code]
  }

  #readCode(name: string): number {
    if (name === 'x') return this.#readHex(2)
    if (name === 'u') return this.#readUnicode()
    if (name === 'c' && /^[a-zA-Z]/.test(this.#ahead(1))) return codePoint(this.#next()) % 32
    if (/^[a-zA-Z]$/.test(name)) throw new PatternError(`"\\${name}" can't be enforced`)
    return codePoint(name)
  }

  #readUnicode(): number {
    const braced = /^\{([0-9a-fA-F]{1,6})\}/.exec(this.#ahead(8))
    if (braced === null) return this.#joinHalves(this.#readHex(4))
    const [text, digits = ''] = braced
    this.#at += text.length
    return Number.parseInt(digits, 16)
  }

  // Two halves of a character, each with an escape of its own, are one character.
  #joinHalves(code: number): number {
    const second = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(this.#ahead(6))
    if (code < 0xd8_00 || code > 0xdb_ff || second === null) return code
    const [text, digits = ''] = second
    this.#at += text.length
    return 0x1_00_00 + (code - 0xd8_00) * 0x4_00 + (Number.parseInt(digits, 16) - 0xdc_00)
  }

  #readHex(length: number): number {
    const digits = this.#ahead(length)
    if (!/^[0-9a-fA-F]+$/.test(digits) || digits.length < length) throw new PatternError('incomplete escape')
    this.#at += length
    return Number.parseInt(digits, 16)
  }

  #readClass(): readonly CharacterRange[] {
    const isNegated = this.#take('^')
    const ranges: CharacterRange[] = []
    const begin = this.#at
    this.#isExcluding = isNegated
    while (!this.#take(']')) ranges.push(...this.#readClassItem())
    this.#isExcluding = false
    if (!isNegated) return ranges
    // Of Unicode classes, only some characters are known. Others can't be said to be outside.
    const hasUnicode = /\\p/i.test(this.#source.slice(begin, this.#at).join(''))
    return hasUnicode ? withinWestern(invertRanges(ranges)) : invertRanges(ranges)
  }

  #readClassItem(): readonly CharacterRange[] {
    const first = this.#readClassCharacter()
    const isRange = this.#isNext('-') && this.#source[this.#at + 1] !== ']'
    const from = onlyOne(first)
    if (!isRange || from === undefined) return first
    this.#at++
    const last = this.#readClassCharacter()
    const to = onlyOne(last)
    if (to === undefined) return [...first, [0x2d, 0x2d], ...last]
    if (to[0] < from[0]) throw new PatternError('a character range is in the wrong order')
    return [[from[0], to[1]]]
  }

  #readClassCharacter(): readonly CharacterRange[] {
    if (!this.#take('\\')) {
      const code = codePoint(this.#next())
      return [[code, code]]
    }
    if (this.#take('b')) return [[8, 8]]
    return this.#readClassEscape() ?? [this.#readCharacterEscape()]
  }

  #ahead(length: number): string {
    return this.#source.slice(this.#at, this.#at + length).join('')
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
