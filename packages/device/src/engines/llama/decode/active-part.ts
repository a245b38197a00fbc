// The part of one generation in a step: some of its pending tokens, and guesses after them.

import type { NativeContext, Token } from '../native/native.ts'
import type { Guessing, Stream } from './guessing/guessing.ts'
import type { Running } from './running.ts'
import type { Slot } from './slots/slots.ts'

export interface PlannedPart {
  readonly slot: Slot<Running>
  readonly running: Running
  /** The number of its pending tokens to evaluate. */
  readonly count: number
}

export interface ActivePart extends PlannedPart {
  readonly guesses: readonly Token[]
}

const NONE = new Uint32Array(0)

/** Prompts are evaluated without guesses: their pieces fill a decode, and the first token of a reply is drawn alone. */
export function withGuesses(parts: readonly PlannedPart[], guessing: Guessing): ActivePart[] {
  if (parts.some(({ running }) => running.promptLeft > 0 || running.pending.length > 1))
    return parts.map((part) => ({ ...part, guesses: [] }))
  const guesses = guessing.guess(parts.map(toStream))
  return parts.map((part, index) => ({ ...part, guesses: guesses[index]! }))
}

function toStream({ slot, running }: PlannedPart): Stream {
  const { generation, guesses } = running
  const isRepeatable = generation.isRepeatable === true
  const forced = (): readonly Token[] => generation.foresee?.() ?? []
  return { tokens: slot.tokens, last: running.pending[0]!, isRepeatable, forced, guesses }
}

/** Returns where the next distribution will be, and those after the guesses; none while more tokens are pending. */
export function addToBatch(context: NativeContext, { slot, running, count, guesses }: ActivePart): Uint32Array {
  const tokens = [...running.pending.slice(0, count), ...guesses]
  const isLast = count === running.pending.length
  const wanted = isLast ? Uint32Array.from({ length: 1 + guesses.length }, (_, index) => count - 1 + index) : NONE
  const positions = context.addToBatch(slot.id, slot.tokens.length, Uint32Array.from(tokens), wanted)
  for (const token of tokens) slot.tokens.push(token)
  running.pending = running.pending.slice(count)
  return positions
}
