// What goes into one decode. Streams that run come first, one token each; one prompt or a few get the room beside them, and that room is
// small while streams run, so that none of them waits long for its next token.

export interface PromptRoom {
  /** Prompt tokens one decode may hold: a multiple of PIECE. */
  room(isAlone: boolean): number
}

/** Kernels work in blocks of this many tokens: measured on a processor, 64 tokens take half the time of 61. */
export const PIECE = 64

export interface PendingTokens {
  /** Tokens that wait to be evaluated. */
  count: number
  /** When it last had room for more than one token, in decodes. */
  lastTurn: number
}

export interface BatchPart {
  /** Which of the generations. */
  index: number
  /** How many of its pending tokens. */
  count: number
}

/**
 * The last pending token is always evaluated by itself, whether it ends a prompt or was just drawn: the same kernels then compute the same
 * distribution for a prompt seen before and a new one.
 */
export function planBatch(pending: readonly PendingTokens[], pace: PromptRoom): BatchPart[] {
  const parts = pending.flatMap(({ count }, index) => (count === 1 ? [{ index, count }] : []))
  let room = pace.room(parts.length === 0)
  const prompts = pending.map((item, index) => ({ ...item, index })).filter(({ count }) => count > 1)
  for (const { index, count } of prompts.toSorted((a, b) => a.lastTurn - b.lastTurn)) {
    const share = count - 1 <= room ? count - 1 : Math.floor(room / PIECE) * PIECE
    room -= share
    if (share > 0) parts.push({ index, count: share })
  }
  return parts
}
