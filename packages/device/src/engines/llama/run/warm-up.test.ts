import { describe, expect, it } from 'vitest'
import type { LoadProgress } from '../../engine.ts'
import { shapesFor, warmUp, type LoadedNative } from './warm-up.ts'

const SIZES = { slots: 32, batchSize: 512, contextLength: 8_192 }

/** A card that takes `decodeMs` for a decode, and `compileMs` longer the first time that it sees a number of tokens. */
function card(decodeMs: number, compileMs: number, gpu: string | false = 'cuda') {
  let [now, batch] = [0, 0]
  const seen = new Map<number, number>()
  const held = new Set<number>()
  const alarms: { at: number; ring: () => void }[] = []
  const context = {
    initBatch: (tokens: number) => void (batch = tokens),
    addToBatch: (slot: number) => {
      held.add(slot)
      return new Uint32Array([0])
    },
    decodeBatch: () => {
      now += decodeMs + (seen.has(batch) ? 0 : compileMs)
      seen.set(batch, (seen.get(batch) ?? 0) + 1)
      for (const { at, ring } of alarms.splice(0)) if (at <= now) ring()
      return Promise.resolve()
    },
    disposeSequence: (slot: number) => held.delete(slot),
  } as unknown as LoadedNative['context']
  const timing = {
    now: () => now,
    after: (ms: number, ring: () => void) => {
      const alarm = { at: now + ms, ring }
      alarms.push(alarm)
      return () => void (alarm.at = Number.POSITIVE_INFINITY)
    },
  }
  const reports: LoadProgress[] = []
  const warm = () => warmUp({ ...SIZES, context, gpu }, (progress) => reports.push(progress), timing)
  return { warm, context, seen, held, reports, elapsed: () => now }
}

describe('warming up', () => {
  it('computes single streams, many streams, all slots, pieces of prompts and a long conversation', async () => {
    const { warm, seen, held, reports } = card(5, 0)
    await warm()
    expect([1, 8, 16, 32, 64, 128, 256, 512].every((tokens) => seen.has(tokens))).toBe(true)
    // The context of the long conversation.
    expect(seen.get(512)).toBeGreaterThan(8)
    expect(held.size).toBe(0)
    expect(reports).toEqual([])
  })

  it('computes nothing on a CPU', async () => {
    const { warm, seen } = card(5, 0, false)
    await warm()
    expect(seen.size).toBe(0)
  })

  it('says that it compiles, and how far it is', async () => {
    const { warm, reports } = card(5, 4_000)
    await warm()
    const total = shapesFor({ ...SIZES, gpu: 'cuda' } as LoadedNative).length
    expect(reports[0]).toEqual({ step: 'compiling', done: 0, total })
    expect(reports.at(-1)).toEqual({ step: 'compiling', done: total, total })
  })

  it('gives up early on a card that computes slowly, and does not take that for compiling', async () => {
    const { warm, reports, elapsed } = card(900, 0)
    await warm()
    expect(reports).toEqual([])
    expect(elapsed()).toBeLessThan(10_000)
  })

  it('leaves it to others to judge a card that fails', async () => {
    const failing = {
      ...SIZES,
      gpu: 'cuda',
      context: { disposeSequence: () => undefined } as unknown as LoadedNative['context'],
    }
    await expect(warmUp(failing, () => undefined)).resolves.toBeUndefined()
  })
})
