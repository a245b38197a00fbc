// Draws the next tokens of a generation after a decode: one, and as many more as were guessed right. Every token is drawn from its own
// distribution, just as without guesses. A guess only means that the distribution after it is there already.

import type { Token } from '../native/native.ts'
import type { Drawn } from './generation.ts'
import { PLACES_AHEAD } from './sampling/proposed-draw.ts'
import { runAhead, type Running } from './running.ts'

export interface Evaluated {
  readonly running: Running
  /** Where the distributions are: after the last token, and after each guess. */
  readonly positions: Uint32Array
  readonly guesses: readonly Token[]
}

export interface DrawnOn {
  /** How many guesses were right, from the first on. */
  readonly kept: number
  /** Set if the generation has ended. */
  readonly ending?: { error?: unknown }
}

/** `streams` draw at the same time. */
export async function drawOn(evaluated: Evaluated, runsAhead: boolean, streams: number): Promise<DrawnOn> {
  const drawn = await drawAll(evaluated, runsAhead, streams)
  // The next decode overwrites the distributions.
  const settling = evaluated.running.generation.settle?.()
  if (settling !== undefined) await settling
  return drawn
}

async function drawAll(evaluated: Evaluated, runsAhead: boolean, streams: number): Promise<DrawnOn> {
  const { running, guesses } = evaluated
  const { generation } = running
  let kept = 0
  try {
    // Tokens that were inserted come before all that could be drawn.
    while (running.pending.length === 0) {
      const drawn = await drawAt(evaluated, kept, streams)
      if (running.isCancelled) return { kept, ending: {} }
      running.guesses.onDrawn(kept, drawn.token)
      const isRight = drawn.token === guesses[kept]
      if (!isRight && runsAhead && !generation.endsAt(drawn.token)) return (runAhead(running, drawn), { kept })
      const tokens = await generation.next(drawn)
      if (tokens.length === 0) return { kept, ending: {} }
      running.pending = isRight ? tokens.slice(1) : tokens
      if (isRight) kept++
    }
    return { kept }
  } catch (error) {
    return { kept, ending: { error } }
  }
}

function drawAt({ running, positions, guesses }: Evaluated, index: number, streams: number): Promise<Drawn> {
  // Several streams keep all threads busy with draws that are needed.
  const ahead = guesses.length > 0 ? Math.floor(PLACES_AHEAD / streams) : 0
  for (const at of positions.subarray(index, index + ahead)) running.generation.prepare?.(at)
  return running.generation.draw(positions[index]!)
}
