// Collects named rules and prints them as a llama.cpp grammar (GBNF). The limits are deliberate: the native parser recurses without a
// limit and copies every repetition, so a grammar that is too large must not reach it.

import { EMPTY, rule, type Expression } from './expression.ts'
import { keyOf } from './expression-key.ts'
import { GrammarTooLarge } from './grammar-too-large.ts'
import { Printer } from './print-expression.ts'

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

  /** Returns the same expression every time for the same key, without a rule of its own. */
  once(key: string, make: () => Expression): Expression {
    let made = this.#shared.get(key)
    if (made === undefined) this.#shared.set(key, (made = make()))
    return made
  }

  body(name: string): Expression {
    return this.#rules.get(name) ?? EMPTY
  }

  replace(name: string, body: Expression): void {
    this.#rules.set(name, body)
  }

  get size(): number {
    return this.#rules.size
  }

  entries(): Iterable<readonly [name: string, body: Expression]> {
    return this.#rules.entries()
  }

  /** Throws GrammarTooLarge. */
  write(root: Expression): WrittenGrammar {
    const used = this.#usedFrom(root)
    const text = this.#printUsed(root, used)
    if (!used.hasDistinct) return { text }
    return { text, tree: { root, rules: new Map([...used.names].map((name) => [name, this.body(name)])) } }
  }

  #printUsed(root: Expression, { names: used }: Used): string {
    const printer = new Printer((part) => this.add('repeated', part))
    const known = [...this.#rules]
    const lines = [`root ::= ${printer.print(root, 'choice')}`]
    for (const [name, body] of known) if (used.has(name)) lines.push(`${name} ::= ${printer.print(body, 'choice')}`)
    // Printing a body can add helper rules; the loop gets to those that they add as well.
    for (const [name, body] of this.#addedSince(known.length))
      lines.push(`${name} ::= ${printer.print(body, 'choice')}`)
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
}

function readable(hint: string): string {
  if (/^[a-zA-Z0-9-]{1,24}$/.test(hint)) return hint
  // Some hints are as long as what they stand for.
  const words = hint.slice(0, 32).replaceAll(/[^a-zA-Z0-9]+/g, '-')
  return words.slice(0, 24) || 'rule'
}
