// Rules for texts that are none of many. Each is a list of units: a character, or an escape that
// stands for one.

import {
  EMPTY,
  characters,
  choice,
  codePoint,
  sequence,
  without,
  type CharacterRange,
  type Expression,
} from './expression.ts'
import type { GrammarRules } from './grammar-rules.ts'
import { onlyOne } from '../only-one.ts'
import { getOrMake } from '../get-or-make.ts'
import { groupBy } from './group-by.ts'

type Units = readonly string[]

/**
 * What is none of one text, from a place in it on. Many texts end the same way, so it is found from
 * their ends.
 */
interface Ending {
  readonly expression: Expression
  /** By the unit before it. */
  readonly longer: Map<string, Ending>
}

export class OtherTexts {
  readonly #allowed: readonly CharacterRange[]
  readonly #rest: () => Expression
  readonly #rules: GrammarRules
  readonly #different = new Map<string, Expression>()
  #end: Ending | undefined

  /**
   * `rest` follows as soon as an `allowed` character makes a text different from all; more are
   * allowed than the texts have.
   */
  constructor(allowed: readonly CharacterRange[], rest: () => Expression, rules: GrammarRules) {
    this.#allowed = allowed
    this.#rest = rest
    this.#rules = rules
  }

  /** A text that is none of `texts`, which are equal up to `at`. */
  noneOf(texts: readonly Units[], at = 0): Expression {
    const groups = groupBy(texts, (text) => text[at] ?? '')
    const isText = groups.delete('')
    const options: Expression[] = []
    for (const [unit, group] of groups) {
      const only = onlyOne(group)
      options.push(sequence(unit, only === undefined ? this.noneOf(group, at + 1) : this.#notOne(only, at + 1)))
    }
    options.push(this.#otherThan([...groups.keys()]))
    if (!isText) options.push(EMPTY)
    return this.#rules.add('other', choice(...options))
  }

  #notOne(text: Units, from: number): Expression {
    let ending = (this.#end ??= { expression: this.#rules.add('other', this.#otherThan([])), longer: new Map() })
    for (let at = text.length - 1; at >= from; at--) {
      const shorter = ending
      ending = getOrMake(shorter.longer, text[at]!, (unit) => this.#before(unit, shorter))
    }
    return ending.expression
  }

  #before(unit: string, { expression }: Ending): Ending {
    const options = [sequence(unit, expression), this.#otherThan([unit]), EMPTY]
    return { expression: this.#rules.add('other', choice(...options)), longer: new Map() }
  }

  // Many branches have the same characters.
  #otherThan(units: Units): Expression {
    return getOrMake(this.#different, units.join('\n'), () => this.#writeDifferent(units))
  }

  #writeDifferent(units: Units): Expression {
    const taken = units
      .filter((unit) => Array.from(unit).length === 1)
      .map((unit): CharacterRange => [codePoint(unit), codePoint(unit)])
    const rest = this.#rest()
    return this.#rules.add('different', sequence(characters(...without(this.#allowed, taken)), rest))
  }
}
