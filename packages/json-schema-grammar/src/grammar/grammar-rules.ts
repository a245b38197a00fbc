// Collects named rules and prints them as a llama.cpp grammar (GBNF). The limits are deliberate: the native parser recurses without a
// limit and copies every repetition, so a grammar that is too large must not reach it.

import { EMPTY, codePoint, rule, type CharacterRange, type Expression } from './expression.ts'
import { keyOf } from './expression-key.ts'

export class GrammarTooLarge extends Error {
  override name = 'GrammarTooLarge'
}

const MAX_RULES = 20_000
const MAX_TEXT = 512 * 1024
/** The native parser expands every repetition, at about 7 ms per thousand, and running jobs wait for it. */
const MAX_REPETITIONS = 10_000
/** The native parser reads a larger bound as "any number". */
export const MAX_COUNT = 2000

/** A grammar as plain data. */
export interface GrammarTree {
  readonly root: Expression
  readonly rules: ReadonlyMap<string, Expression>
}

export interface WrittenGrammar {
  /** For llama.cpp. */
  readonly text: string
  /** Set if arrays have to have different items, which the text can't say: for a `ItemFollower`. */
  readonly tree?: GrammarTree
}

export interface ReservedRule {
  readonly reference: Expression
  readonly define: (body: Expression) => void
}

/** The rules that an expression needs, and whether it has `distinct` parts. */
interface Used {
  readonly names: ReadonlySet<string>
  readonly hasDistinct: boolean
}

export class GrammarRules {
  readonly #rules = new Map<string, Expression>()
  readonly #shared = new Map<string, Expression>()
  /** The rules with a body that was known when they were added, by its key. */
  readonly #added = new Map<string, Expression>()
  #repetitions = 0

  /** Adds a rule, or finds the one with the same body. `hint` becomes part of its name, to make the grammar easier to read. */
  add(hint: string, body: Expression): Expression {
    const key = keyOf(body)
    const known = this.#added.get(key)
    if (known !== undefined) return known
    const reference = rule(this.#name(hint, body))
    this.#added.set(key, reference)
    return reference
  }

  /** A rule that can be referenced before it is defined. */
  reserve(hint: string): ReservedRule {
    const name = this.#name(hint, EMPTY)
    return { reference: rule(name), define: (body) => void this.#rules.set(name, body) }
  }

  #name(hint: string, body: Expression): string {
    if (this.#rules.size >= MAX_RULES) throw new GrammarTooLarge(`its grammar needs more than ${MAX_RULES} rules`)
    const name = `${readable(hint)}-${this.#rules.size}`
    this.#rules.set(name, body)
    return name
  }

  /** Returns the same rule every time for the same key. */
  share(key: string, make: () => Expression): Expression {
    let reference = this.#shared.get(key)
    if (reference === undefined) {
      const { reference: made, define } = this.reserve(key)
      this.#shared.set(key, (reference = made))
      try {
        define(make())
      } catch (error) {
        // The next one to ask has to get the same error, not an empty rule.
        this.#shared.delete(key)
        throw error
      }
    }
    return reference
  }

  body(name: string): Expression {
    return this.#rules.get(name) ?? EMPTY
  }

  replace(name: string, body: Expression): void {
    this.#rules.set(name, body)
  }

  names(): Iterable<string> {
    return this.#rules.keys()
  }

  /** Throws GrammarTooLarge. */
  write(root: Expression): WrittenGrammar {
    const used = this.#usedFrom(root)
    const text = this.#printUsed(root, used)
    if (!used.hasDistinct) return { text }
    return { text, tree: { root, rules: new Map([...used.names].map((name) => [name, this.body(name)])) } }
  }

  #printUsed(root: Expression, { names: used }: Used): string {
    this.#repetitions = 0
    const known = [...this.#rules]
    const lines = [`root ::= ${this.#print(root, 'choice')}`]
    for (const [name, body] of known) if (used.has(name)) lines.push(`${name} ::= ${this.#print(body, 'choice')}`)
    // Printing a body can add helper rules; the loop gets to those that they add as well.
    for (const [name, body] of this.#addedSince(known.length)) lines.push(`${name} ::= ${this.#print(body, 'choice')}`)
    const text = `${lines.join('\n')}\n`
    if (text.length > MAX_TEXT) throw new GrammarTooLarge(`its grammar is longer than ${MAX_TEXT} characters`)
    return text
  }

  *#addedSince(count: number): Generator<[string, Expression]> {
    let at = 0
    for (const rule of this.#rules) if (at++ >= count) yield rule
  }

  /** Rules of an attempt that was given up are still there, but nothing refers to them. */
  #usedFrom(root: Expression): Used {
    const used = new Set<string>()
    const waiting = [root]
    let hasDistinct = false
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at.type === 'sequence') waiting.push(...at.parts)
      else if (at.type === 'choice') waiting.push(...at.options)
      else if ('part' in at) waiting.push(at.part)
      else if (at.type === 'rule' && !used.has(at.name)) {
        used.add(at.name)
        waiting.push(this.body(at.name))
      }
      hasDistinct ||= at.type === 'distinct'
    }
    return { names: used, hasDistinct }
  }

  #print(expression: Expression, place: 'choice' | 'part'): string {
    switch (expression.type) {
      case 'literal':
        return `"${expression.text.replaceAll(/[^ !#-[\]-\uffff]/g, (character) => escapeCode(codePoint(character)))}"`
      case 'characters':
        return `[${expression.ranges.map(printRange).join('')}]`
      case 'rule':
        return expression.name
      case 'sequence':
        return expression.parts.map((part) => this.#print(part, 'part')).join(' ') || '""'
      case 'choice': {
        const text = expression.options.map((option) => this.#print(option, 'choice')).join(' | ')
        return place === 'part' ? `(${text})` : text
      }
      case 'repeat':
        return this.#printRepeat(expression)
      case 'distinct':
      case 'item':
        return this.#print(expression.part, place)
      default:
        return expression satisfies never
    }
  }

  // Repeats only single characters and rules: the native parser duplicates anything else.
  #printRepeat({ part, min, max }: Extract<Expression, { type: 'repeat' }>): string {
    this.#repetitions += Number.isFinite(max) ? max : min
    if (this.#repetitions > MAX_REPETITIONS) throw new GrammarTooLarge('its repetitions are too large')
    const isPlain = part.type === 'rule' || part.type === 'characters'
    const repeated = this.#print(isPlain ? part : this.add('repeated', part), 'part')
    return `${repeated}${printCount(min, max)}`
  }
}

function readable(hint: string): string {
  if (/^[a-zA-Z0-9-]{1,24}$/.test(hint)) return hint
  // Some hints are as long as what they stand for.
  const words = hint.slice(0, 32).replaceAll(/[^a-zA-Z0-9]+/g, '-')
  return words.slice(0, 24) || 'rule'
}

function printCount(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return ['*', '+'][min] ?? `{${min},}`
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`
}

function printRange([from, to]: CharacterRange): string {
  return from === to ? escapeInClass(from) : `${escapeInClass(from)}-${escapeInClass(to)}`
}

function escapeInClass(code: number): string {
  const character = String.fromCodePoint(code)
  return /^[a-zA-Z0-9]$/.test(character) ? character : escapeCode(code)
}

function escapeCode(code: number): string {
  const hex = code.toString(16).toUpperCase()
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
