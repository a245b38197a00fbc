// A rule as steps from one character to the next, so that a text can be followed one character at a time.

import type { Expression } from '../grammar/expression.ts'

export type Step =
  | { readonly type: 'return' }
  | { readonly type: 'characters'; readonly id: number; readonly ranges: Uint32Array; readonly then: Step }
  | { readonly type: 'rule'; readonly id: number; readonly name: string; readonly then: Step }
  | { readonly type: 'choice'; readonly id: number; readonly options: readonly Step[] }
  | Repeat

export interface Repeat {
  readonly type: 'repeat'
  readonly id: number
  /** One of these characters, or more than a character. */
  readonly part: Uint32Array | Step
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
        return { type: 'repeat', id: this.#nextId++, part, min, max, then }
      }
      // Which items there were is another follower's business.
      case 'distinct':
      case 'item':
        return this.write(expression.part, then)
      case 'rule':
        return { type: 'rule', id: this.#nextId++, name: expression.name, then }
      default:
        return expression satisfies never
    }
  }

  #writeCharacter(character: string, then: Step): Step {
    const code = character.codePointAt(0)!
    return { type: 'characters', id: this.#nextId++, ranges: Uint32Array.of(code, code), then }
  }
}

/** `ranges` are pairs of code points in order. */
export function includes(ranges: Uint32Array, low: number, high = low): boolean {
  for (let index = 0; index < ranges.length; index += 2) {
    if (high < ranges[index]!) return false
    if (low <= ranges[index + 1]!) return true
  }
  return false
}
