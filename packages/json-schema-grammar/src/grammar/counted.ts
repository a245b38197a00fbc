// Repetitions with a large maximum, in a way that llama.cpp reads quickly.

import { choice, repeat, sequence, type Expression } from './expression.ts'
import type { GrammarRules } from './grammar-rules.ts'

/** Characters that are counted together. */
const BLOCK = 32
const MAX_SINGLE = 128

// llama.cpp makes a rule for each character up to the longest text, and takes a fifth of a second
// for a few dozen long texts. Of blocks, it needs far fewer. Each length has exactly one way to be
// counted.
export function counted(character: Expression, min: number, max: number, rules: GrammarRules): Expression {
  if (max === Number.POSITIVE_INFINITY || max <= MAX_SINGLE) return repeat(character, min, max)
  const one = rules.share(`text ${JSON.stringify(character)}`, () => character)
  const block = rules.share(`block ${JSON.stringify(character)}`, () => repeat(one, BLOCK, BLOCK))
  const exactly = (count: number) => {
    const [blocks, rest] = [Math.floor(count / BLOCK), count % BLOCK]
    return sequence(repeat(block, blocks, blocks), repeat(one, rest, rest))
  }
  const blocks = Math.floor((max - min) / BLOCK)
  const full = sequence(repeat(block, blocks, blocks), repeat(one, 0, (max - min) % BLOCK))
  if (blocks === 0) return sequence(exactly(min), full)
  const shorter = sequence(repeat(block, 0, blocks - 1), repeat(one, 0, BLOCK - 1))
  return sequence(exactly(min), choice(shorter, full))
}
