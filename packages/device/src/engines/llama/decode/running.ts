// A generation in the batch loop, and how far it is.

import type { StreamGuesses } from './guessing/stream-guesses.ts'
import type { Drawn, Generation } from './generation.ts'
import type { Token } from '../native/native.ts'

export interface Running {
  readonly generation: Generation
  readonly guesses: StreamGuesses
  pending: readonly Token[]
  /** Prompt tokens not yet evaluated. */
  promptLeft: number
  /** The numbers of evaluated tokens to keep a checkpoint of, in ascending order. */
  stops: readonly number[]
  /** The decode that last evaluated several of its tokens. */
  lastTurn: number
  isPaused: boolean
  isCancelled: boolean
  /** The last drawn token, if it is read while it is evaluated. */
  unread: Drawn | undefined
  /** How it ended, if reading its last token ended it. Its slot is in use until the decode has ended, too. */
  ending: { error?: unknown } | undefined
}

export function createRunning(generation: Generation, guesses: StreamGuesses): Running {
  return {
    generation,
    guesses,
    pending: generation.prompt,
    promptLeft: generation.prompt.length,
    stops: [],
    lastTurn: 0,
    isPaused: false,
    isCancelled: false,
    unread: undefined,
    ending: undefined,
  }
}

/** The slots whose generation takes part in the next step. */
export function activeOf<Place extends { readonly occupant: Running | undefined }>(
  slots: readonly Place[],
): { slot: Place; running: Running }[] {
  return slots.flatMap((slot) => {
    const { occupant } = slot
    return occupant === undefined || occupant.isPaused ? [] : [{ slot, running: occupant }]
  })
}

/** Which one gets the next free slot. More choices of a running job have to wait for jobs that have no slot at all. */
export function nextWaiting(waiting: ReadonlySet<Running>, all: ReadonlyMap<Generation, Running>): Running | undefined {
  const isLeaderReady = (leader: Generation | undefined) => {
    const running = leader && all.get(leader)
    return running === undefined || (running.promptLeft === 0 && !waiting.has(running))
  }
  const ready = [...waiting].filter(({ generation }) => isLeaderReady(generation.leader))
  return ready.find(({ generation }) => generation.leader === undefined) ?? ready[0]
}

/** Evaluates the token before it is read. */
export function runAhead(running: Running, drawn: Drawn): void {
  running.unread = drawn
  running.pending = [drawn.token]
}

/** After a decode: how much of the prompt is evaluated. */
export function reportPrompt(running: Running): void {
  if (running.promptLeft === 0) return
  running.promptLeft = running.pending.length
  running.generation.onPrompt(running.generation.prompt.length - running.promptLeft)
}

/** Reads the token that was drawn last, if it is unread. Never fails: what goes wrong ends the generation. */
export async function readToken(running: Running): Promise<void> {
  const drawn = running.unread
  if (drawn === undefined) return
  running.unread = undefined
  try {
    const tokens = await running.generation.next(drawn)
    if (tokens.length === 0) running.ending = {}
    else running.pending = tokens.slice(1)
  } catch (error) {
    running.ending = { error }
  }
}
