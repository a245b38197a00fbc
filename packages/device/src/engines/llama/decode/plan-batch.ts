// Plans one decode. Running streams come first, with one token each; prompts share the rest of the room. That room is small while streams
// run, so that none of them waits long for its next token.

export interface PromptRoom {
  /** The prompt tokens that one decode can hold: a multiple of PIECE. */
  room(isAlone: boolean): number
  /**
   * Whether prompts wait for one decode when a stream is about to get its first token: on a GPU that decode is short, and the first token
   * doesn't wait for a whole batch of other prompts.
   */
  startsStreamsFirst: boolean
}

/** Kernels work in blocks of this many tokens: measured on a CPU, 64 tokens take half as long as 61. */
export const PIECE = 64

export interface PendingTokens {
  /** Tokens waiting to be evaluated. */
  count: number
  /** The number of the last decode that had room for more than one of its tokens. */
  lastTurn: number
  /** The last token of a prompt is pending. */
  isStarting: boolean
}

export interface BatchPart {
  /** The index of the generation. */
  index: number
  /** The number of its pending tokens to evaluate. */
  count: number
}

/**
 * The last pending token is always evaluated alone, whether it ends a prompt or was just drawn. That way the same kernels compute the same
 * distribution for a new prompt and for one that was partly reused.
 */
export function planBatch(pending: readonly PendingTokens[], pace: PromptRoom): BatchPart[] {
  const parts = pending.flatMap(({ count }, index) => (count === 1 ? [{ index, count }] : []))
  if (parts.length === pending.length) return parts
  if (pace.startsStreamsFirst && pending.some(({ isStarting }) => isStarting)) return parts
  let room = pace.room(parts.length === 0)
  const prompts = pending.map((item, index) => ({ ...item, index })).filter(({ count }) => count > 1)
  for (const { index, count } of inOrder(prompts, room)) {
    const share = count - 1 <= room ? count - 1 : Math.floor(room / PIECE) * PIECE
    room -= share
    if (share > 0) parts.push({ index, count: share })
  }
  return parts
}

/**
 * Prompts take turns, but one that was begun and can be finished is finished first. Otherwise every batch would end with a piece of a prompt
 * that then waits for all others, and streams would start in every other slot only: a pass through the model for each of them.
 */
function inOrder<Prompt extends PendingTokens>(prompts: readonly Prompt[], room: number): Prompt[] {
  const isLast = ({ count, lastTurn }: Prompt) => lastTurn > 0 && count - 1 <= room
  return prompts.toSorted((a, b) => Number(isLast(b)) - Number(isLast(a)) || a.lastTurn - b.lastTurn)
}
