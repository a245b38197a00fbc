// Draws the next tokens of a generation after a decode: one, and as many more as were guessed right. Every token is drawn from its own
// distribution, just as without guesses. A guess only means that the distribution after it is there already.

import type { Token } from '../native/native.ts'
import type { Drawn } from './generation.ts'
import { PLACES_AHEAD } from './sampling/proposed-draw.ts'
import { runAhead, type Running } from './running.ts'

export interface Evaluated {
  readonly running: Running
  /** Where the distributions are: after the last token, and after each guess. */
  readonly places: Uint32Array
  readonly guesses: readonly Token[]
  /** The first draw, if it began before the decode had ended. */
  first?: Promise<Drawn>
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

/** Queues the first draws behind the decode, so that no time passes between them. The tokens before have been read. */
export function drawBehind(all: readonly Evaluated[]): void {
  for (const evaluated of all) {
    const { ending, pending } = evaluated.running
    if (ending !== undefined || pending.length > 0) continue
    evaluated.first = drawAt(evaluated, 0, all.length)
    // Whoever waits for the decode learns about this failure afterwards.
    evaluated.first.catch(() => undefined)
  }
}

/** After a decode that failed: resolves when nothing is drawn from it anymore. */
export async function abandonDraws(all: readonly Evaluated[]): Promise<void> {
  for (const { first, running } of all) {
    await first?.catch(() => undefined)
    await running.generation.settle?.()
  }
}

async function drawAll(evaluated: Evaluated, runsAhead: boolean, streams: number): Promise<DrawnOn> {
  const { running, guesses } = evaluated
  const { generation } = running
  let kept = 0
  try {
    // Tokens that were inserted come before all that could be drawn.
    while (running.pending.length === 0) {
      const drawn = await ((kept === 0 && evaluated.first) || drawAt(evaluated, kept, streams))
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

function drawAt({ running, places, guesses }: Evaluated, index: number, streams: number): Promise<Drawn> {
  // Several streams keep all threads busy with draws that are needed.
  const ahead = guesses.length > 0 ? Math.floor(PLACES_AHEAD / streams) : 0
  for (const at of places.subarray(index, index + ahead)) running.generation.prepare?.(at)
  return running.generation.draw(places[index]!)
}
