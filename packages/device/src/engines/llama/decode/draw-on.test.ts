import { describe, expect, it } from 'vitest'
import { drawOn } from './draw-on.ts'
import type { Generation } from './generation.ts'
import { Odds } from './guessing/odds.ts'
import { StreamGuesses } from './guessing/stream-guesses.ts'
import { createRunning } from './running.ts'

const PLACES = Uint32Array.of(10, 11, 12, 13, 14)
/** Each place has its own token. */
const tokenAt = (place: number) => place * 10

/** What is done with distributions, in order. */
async function trace(guesses: readonly number[], streams: number): Promise<string[]> {
  const done: string[] = []
  const generation: Generation = {
    prompt: [],
    onStart: () => undefined,
    onPrompt: () => undefined,
    draw: (at) => (done.push(`draw ${at}`), Promise.resolve({ token: tokenAt(at) })),
    prepare: (at) => void done.push(`prepare ${at}`),
    settle: () => (done.push('settle'), Promise.resolve()),
    endsAt: () => false,
    next: ({ token }) => Promise.resolve([token]),
    onEnd: () => undefined,
  }
  const running = createRunning(generation, new StreamGuesses(new Odds()))
  const { kept } = await drawOn({ running, positions: PLACES.slice(0, guesses.length + 1), guesses }, false, streams)
  return [...done, `${kept} right`]
}

describe('drawing on', () => {
  it('prepares the next places of a stream that is alone, and settles before the next decode', async () => {
    const ahead = ['prepare 10', 'prepare 11', 'prepare 12', 'draw 10', 'prepare 11', 'prepare 12', 'draw 11']
    expect(await trace([100, 7], 1)).toEqual([...ahead, 'settle', '1 right'])
  })

  it('prepares nothing ahead for several streams, nor without guesses', async () => {
    expect(await trace([100, 7], 4)).toEqual(['draw 10', 'draw 11', 'settle', '1 right'])
    expect(await trace([], 1)).toEqual(['draw 10', 'settle', '0 right'])
  })
})
