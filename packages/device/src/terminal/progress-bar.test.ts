import { expect, it } from 'vitest'
import { createBar, drawBar } from './progress-bar.ts'

it('draws how far work is and how long the rest takes, once that can be known', () => {
  expect(drawBar(0.01, 1000)).toBe('░░░░░░░░░░░░░░░░░░░░░░░░ 1%')
  expect(drawBar(0.5, 120_000)).toBe('████████████░░░░░░░░░░░░ 50% · 2 min left')
  expect(drawBar(1, 240_000)).toBe('████████████████████████ 100%')
})

it('writes a line for each tenth where there is no terminal', () => {
  const lines: string[] = []
  const screen = { line: (_: string, text: string) => void lines.push(text), live: () => {} }
  const bar = createBar('Building', { screen, isTerminal: false }, () => 0)
  for (let step = 1; step <= 40; step += 1) bar(step / 40)
  expect(lines).toHaveLength(10)
  expect(lines[0]).toBe('Building 10%')
  expect(lines.at(-1)).toBe('Building 100%')
})
