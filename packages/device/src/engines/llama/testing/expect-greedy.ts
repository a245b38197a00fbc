// Compares a reply with an undisturbed evaluation. Random weights make many tokens almost equally likely, and rounding depends on how a
// prompt is cut into pieces, so two correct replies may part ways at a tie. That is no difference; a wrong state is a large one.

import { expect } from 'vitest'
import type { Native, Token } from '../native/native.ts'
import { evaluate, readLogits } from './evaluate-prompt.ts'

const PIECE = 64
/** Logits. Ties were seen to differ by up to 0.05; the logits of these models are spread over several units. */
const TIE = 0.15

/** Expects every token to be the likeliest after the prompt and the tokens before it. Uses the first slot. */
export async function expectGreedy(
  native: Native,
  { prompt, tokens }: { prompt: readonly Token[]; tokens: readonly Token[] },
): Promise<void> {
  const { context } = native
  context.disposeSequence(0)
  for (let at = 0; at < prompt.length - 1; at += PIECE)
    await evaluate(native, at, prompt.slice(at, Math.min(at + PIECE, prompt.length - 1)))
  const behind: number[] = []
  for (const [index, token] of tokens.entries()) {
    const last = index === 0 ? prompt.at(-1)! : tokens[index - 1]!
    behind.push(await behindBest(native, await evaluate(native, prompt.length - 1 + index, [last]), token))
  }
  context.disposeSequence(0)
  expect(tokens).not.toHaveLength(0)
  expect(behind.filter((distance) => distance > TIE)).toEqual([])
}

async function behindBest(native: Native, at: number, token: Token): Promise<number> {
  const logits = await readLogits(native, at)
  const [best] = logits.values()
  return best! - logits.get(token)!
}
