import { describe, expect, it } from 'vitest'
import { planStops, untilStop } from './plan-stops.ts'

/** Zeros, with a control token at each of these places. */
function prompt(length: number, controls: readonly number[]): number[] {
  return Array.from({ length }, (_, index) => (controls.includes(index) ? 1 : 0))
}

const stops = (length: number, controls: readonly number[], reused = 0) =>
  planStops(prompt(length, controls), reused, (token) => token === 1)

describe('planStops', () => {
  it.each<[string, Parameters<typeof stops>, number[]]>([
    ['stops before the header of the reply, because the next turn may write another', [100, [0, 97]], [97]],
    ['stops before a header of several control tokens', [100, [0, 90, 94, 98]], [90]],
    ['stops before the last token of a prompt without a control token', [100, []], [99]],
    ['stops before the last token of a prompt without a header', [100, [0, 50]], [99]],
    ['stops before a control token that is the last', [100, [99]], [99]],
    ['stops after long instructions, which other conversations share', [2000, [0, 1200, 1996]], [1200, 1996]],
    ['does not stop after short instructions', [2000, [0, 40, 1996]], [1996]],
    ['stops after long instructions before a short question', [1300, [0, 1200, 1296]], [1200, 1296]],
    ['does not stop twice in a short prompt', [200, [0, 100, 196]], [196]],
    ['does not stop twice at the end', [1300, [0, 1292, 1296]], [1292]],
    ['stops now and then in a long text', [6000, [5997]], [2048, 4096, 5997]],
    ['does not stop shortly before another stop', [4200, [4197]], [2048, 4197]],
    ['does not stop in what is reused', [6000, [5997], 4096], [5997]],
    ['does not stop if all is reused', [100, [0, 90, 94], 90], []],
  ])('%s', (_, given, expected) => {
    expect(stops(...given)).toEqual(expected)
  })
})

describe('untilStop', () => {
  it('leaves one token after the stop to the next decode', () => {
    expect(untilStop(10, { pending: prompt(50, []), stops: [30] })).toBe(21)
    expect(untilStop(10, { pending: prompt(5, []), stops: [30] })).toBe(5)
    expect(untilStop(10, { pending: prompt(50, []), stops: [] })).toBe(50)
  })
})
