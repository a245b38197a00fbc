// What goes into one decode. Streams that run come first, one token each; prompts share the room that is left, and that room is small
// while streams run, so that none of them waits long for its next token.

export interface PromptRoom {
  /** Prompt tokens one decode may hold. */
  room(isAlone: boolean): number
}

export interface BatchPart {
  /** Which of the generations. */
  index: number
  /** How many of its pending tokens. */
  count: number
}

/**
 * `pending` has the tokens each generation waits to have evaluated. The last of them is always evaluated as a single token, whether it
 * ends a prompt or was just sampled: the same kernels then compute the same distribution for a prompt seen before and a new one.
 */
export function planBatch(pending: readonly number[], pace: PromptRoom): BatchPart[] {
  const single = pending.flatMap((count, index) => (count === 1 ? [{ index, count }] : []))
  const long = pending.flatMap((count, index) => (count > 1 ? [{ index, count: count - 1 }] : []))
  let room = Math.max(long.length, pace.room(single.length === 0) - single.length)
  // Shortest first, so that what a short prompt does not need goes to the longer ones.
  const shares = long
    .toSorted((a, b) => a.count - b.count)
    .map(({ index, count }, position) => {
      const share = Math.min(count, Math.floor(room / (long.length - position)))
      room -= share
      return { index, count: share }
    })
  return [...single, ...shares.filter(({ count }) => count > 0)]
}
