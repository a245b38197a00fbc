// llama.cpp evaluates tokens of several slots in one pass only if the slots are neighbors. For every gap between them it goes through the
// whole model once more, so busy slots stay together.

interface Place {
  readonly id: number
  readonly occupant: unknown
}

/** The number of passes if this slot becomes busy too. */
export function passesWith(slots: readonly Place[], joining: Place): number {
  const busy = slots.filter((slot) => slot === joining || slot.occupant !== undefined).map(({ id }) => id)
  const sorted = busy.toSorted((a, b) => a - b)
  return sorted.filter((id, index) => id - 1 !== sorted[index - 1]).length
}
