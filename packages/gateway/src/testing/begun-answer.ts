// An answer that another scripted device began. The ids of its tokens are an arithmetic series per choice, so that a lost, repeated or
// misplaced id is noticed.

import { TextSum, type BegunChoice, type ChatJob } from '@hearth/protocol'
import type { PlannedAnswer } from './planned-answer.ts'

const STEP = 8

export function tokenId(choice: number, token: number): number {
  return choice + STEP * token
}

/** How many tokens of a choice the client has, and whether it has its calls. */
export function begunOf({ recovery }: ChatJob, choice: number): { tokens: number; hasCalls: boolean } {
  const begun = recovery?.choices?.[choice]
  return { tokens: begun?.tokens.length ?? 0, hasCalls: begun?.hasCalls ?? false }
}

/** Whether the client has a beginning of this answer, and nothing else. */
export function isBeginning({ tokens }: PlannedAnswer, { recovery }: ChatJob): boolean {
  return recovery?.choices?.every((begun, choice) => isBeginningOf(tokens, begun, choice)) ?? true
}

function isBeginningOf(texts: readonly string[], { tokens, length, checksum }: BegunChoice, choice: number): boolean {
  const sum = new TextSum()
  for (const text of texts.slice(0, tokens.length)) sum.add(text)
  const isSeries = tokens.every((id, index) => id === tokenId(choice, index))
  return isSeries && tokens.length <= texts.length && sum.length === length && sum.checksum === checksum
}
