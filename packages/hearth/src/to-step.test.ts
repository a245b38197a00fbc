import { expect, it } from 'vitest'
import { toStep } from './to-step.ts'

it.each([
  ['2026-11-15T12:00:00.000Z info  tiny: loading…', 'tiny: loading…'],
  ['2026-11-15T12:00:00.000Z good  Connected', 'Connected'],
  ['2026-11-15T12:00:00.000Z warn  The disk is almost full', 'Warning: The disk is almost full'],
  ['not a log line', 'not a log line'],
])('a log line of the device app is shown without its time: %s', (line, step) => {
  expect(toStep(line)).toBe(step)
})
