// Collects named rules and prints them as a llama.cpp grammar (GBNF). The limits are deliberate:
// the native parser recurses without a limit and copies every repetition, so a grammar that is too
// large must not reach it.

import { EMPTY, rule, type Expression, type Rule } from './expression.ts'
import { ExpressionNumbers } from './expression-numbers.ts'
import { GrammarTooLarge } from './grammar-too-large.ts'
import { Printer } from './print-expression.ts'
import { getOrMake } from '../get-or-make.ts'

const MAX_RULES = 20_000
const MAX_TEXT = 512 * 1024
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
  /**
   * Set if arrays have to have different items, which the text can't say: for an `ItemFollower`.
   */
  readonly tree?: GrammarTree
}

export interface ReservedRule {
  readonly reference: Rule
  readonly define: (body: Expression) => void
}

/** The rules that an expression needs, and whether it has `distinct` parts. */
interface Used {
  readonly rules: Rule[]
  /** By the number of a rule. */
  readonly flags: boolean[]
  hasDistinct: boolean
}

export class GrammarRules {
  readonly #rules: Rule[] = []
  readonly #bodies: Expression[] = []
  readonly #shared = new Map<string, Expression>()
  readonly #numbers = new ExpressionNumbers()
  /** The rules with a body that was known when they were added, by its number. */
  readonly #added = new Map<number, Rule>()

  /**
   * Adds a rule, or finds the one with the same body. `hint` becomes part of its name, to make the
   * grammar easier to read.
   */
  add(hint: string, body: Expression): Rule {
    const number = this.#numbers.numberOf(body)
    const known = this.#added.get(number)
    if (known !== undefined) return known
    const reference = this.#name(hint, body)
    this.#added.set(number, reference)
    return reference
  }

  /** A rule that can be referenced before it is defined. */
  reserve(hint: string): ReservedRule {
    const reference = this.#name(hint, EMPTY)
    return { reference, define: (body) => this.replace(reference, body) }
  }

  #name(hint: string, body: Expression): Rule {
    if (this.size >= MAX_RULES) throw new GrammarTooLarge(`its grammar needs more than ${MAX_RULES} rules`)
    const reference = rule(`${readable(hint)}-${this.size}`, this.size)
    this.#rules.push(reference)
    this.#bodies.push(body)
    return reference
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

  /** Returns the same expression every time for the same key, without a rule of its own. */
  once(key: string, make: () => Expression): Expression {
    return getOrMake(this.#shared, key, make)
  }

  body(reference: Rule): Expression {
    return this.#bodies[reference.number]!
  }

  replace(reference: Rule, body: Expression): void {
    this.#bodies[reference.number] = body
  }

  get size(): number {
    return this.#rules.length
  }

  get all(): readonly Rule[] {
    return this.#rules
  }

  /** Throws GrammarTooLarge. */
  write(root: Expression): WrittenGrammar {
    const used = this.#usedFrom(root)
    const text = this.#printUsed(root, used.flags)
    if (!used.hasDistinct) return { text }
    return {
      text,
      tree: { root, rules: new Map(used.rules.map((reference) => [reference.name, this.body(reference)])) },
    }
  }

  #printUsed(root: Expression, isUsed: boolean[]): string {
    const repeated: Rule[] = []
    const printer = new Printer((part) => {
      const reference = this.add('repeated', part)
      if (isUsed[reference.number] !== true) repeated.push(reference)
      isUsed[reference.number] = true
      return reference
    })
    printer.printRule('root', root)
    const used = this.#rules.filter(({ number }) => isUsed[number])
    // Gets to the rules that are added on the way as well.
    for (const rules of [used, repeated])
      for (const reference of rules) printer.printRule(reference.name, this.body(reference))
    const text = printer.text()
    if (text.length > MAX_TEXT) throw new GrammarTooLarge(`its grammar is longer than ${MAX_TEXT} characters`)
    return text
  }

  /** Rules of an attempt that was given up are still there, but nothing refers to them. */
  #usedFrom(root: Expression): Used {
    const used: Used = { rules: [], flags: this.#rules.map(() => false), hasDistinct: false }
    noteUsed(root, used)
    // Gets to the rules that are added on the way as well.
    for (const reference of used.rules) noteUsed(this.body(reference), used)
    return used
  }
}

function noteUsed(expression: Expression, used: Used): void {
  switch (expression.type) {
    case 'rule':
      if (used.flags[expression.number]) return
      used.flags[expression.number] = true
      used.rules.push(expression)
      return
    case 'sequence':
      for (const part of expression.parts) noteUsed(part, used)
      return
    case 'choice':
      for (const option of expression.options) noteUsed(option, used)
      return
    case 'distinct':
      used.hasDistinct = true
      return noteUsed(expression.part, used)
    case 'repeat':
    case 'item':
      return noteUsed(expression.part, used)
    case 'literal':
    case 'characters':
      return
    default:
      expression satisfies never
  }
}

function readable(hint: string): string {
  if (/^[a-zA-Z0-9-]{1,24}$/.test(hint)) return hint
  // Some hints are as long as what they stand for.
  const words = hint.slice(0, 32).replaceAll(/[^a-zA-Z0-9]+/g, '-')
  return words.slice(0, 24) || 'rule'
}
