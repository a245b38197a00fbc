// A rule as steps from one character to the next, so that a text can be followed one character at a
// time.

import type { Expression } from '../grammar/expression.ts'

export type Step =
  | { readonly type: 'return' }
  | { readonly type: 'characters'; readonly id: number; readonly ranges: Uint32Array; readonly then: Step }
  | { readonly type: 'rule'; readonly id: number; readonly name: string; readonly then: Step }
  | { readonly type: 'choice'; readonly id: number; readonly options: readonly Step[] }
  | { readonly type: 'mark'; readonly id: number; readonly mark: Mark; readonly then: Step }
  | Repeat

/**
 * What a text gets to between two characters: an array whose items may not repeat, and each of its
 * items.
 */
export type Mark = 'array-begin' | 'item-begin' | 'item-end' | 'array-end'

export interface Repeat {
  readonly type: 'repeat'
  readonly id: number
  /** One of these characters, or more than a character. */
  readonly part: Uint32Array | Step
  /** Whether there is only one such part. */
  readonly isLiteral: boolean
  readonly min: number
  readonly max: number
  readonly then: Step
}

export const RETURN: Step = { type: 'return' }

export class StepWriter {
  #nextId = 1

  /** How many steps were written. */
  get written(): number {
    return this.#nextId
  }

  write(expression: Expression, then: Step = RETURN): Step {
    switch (expression.type) {
      case 'literal':
        return Array.from(expression.text).reduceRight((next, character) => this.#writeCharacter(character, next), then)
      case 'characters':
        return { type: 'characters', id: this.#nextId++, ranges: Uint32Array.from(expression.ranges.flat()), then }
      case 'sequence':
        return expression.parts.reduceRight((next, part) => this.write(part, next), then)
      case 'choice': {
        const options = expression.options.map((option) => this.write(option, then))
        return { type: 'choice', id: this.#nextId++, options }
      }
      case 'repeat': {
        const { min, max } = expression
        const first = this.write(expression.part)
        const part = first.type === 'characters' && first.then === RETURN ? first.ranges : first
        const isLiteral = expression.part.type === 'literal'
        return { type: 'repeat', id: this.#nextId++, part, isLiteral, min, max, then }
      }
      case 'distinct':
        return this.#writeMarked('array-begin', expression.part, 'array-end', then)
      case 'item':
        return this.#writeMarked('item-begin', expression.part, 'item-end', then)
      case 'rule':
        return { type: 'rule', id: this.#nextId++, name: expression.name, then }
      default:
        return expression satisfies never
    }
  }

  #writeMarked(begin: Mark, part: Expression, end: Mark, then: Step): Step {
    const last: Step = { type: 'mark', id: this.#nextId++, mark: end, then }
    return { type: 'mark', id: this.#nextId++, mark: begin, then: this.write(part, last) }
  }

  #writeCharacter(character: string, then: Step): Step {
    const code = character.codePointAt(0)!
    return { type: 'characters', id: this.#nextId++, ranges: Uint32Array.of(code, code), then }
  }
}
