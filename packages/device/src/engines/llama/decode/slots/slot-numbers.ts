// How the tokens of a slot were evaluated, as far as their numbers depend on it.

export interface SlotNumbers {
  /** How many of them, from the first on, were evaluated in blocks. */
  blocks: number
  /** Where the rest of the prompt ends, if it was evaluated in a decode of its own; otherwise the end of the blocks. */
  rest: number
  /** How many, from the first on, have the numbers that they have without other jobs. The reply is evaluated as if one by one. */
  steady: number
}

export function noNumbers(): SlotNumbers {
  return { blocks: 0, rest: 0, steady: 0 }
}

/** Without those after the first `length` tokens. A part of a decode can't be kept: evaluated alone, it could have other numbers. */
export function shortened({ blocks, rest, steady }: SlotNumbers, length: number): SlotNumbers {
  if (length >= rest) return { blocks, rest, steady: Math.min(steady, length) }
  const kept = Math.min(blocks, length)
  return { blocks: kept, rest: kept, steady: Math.min(steady, kept) }
}
