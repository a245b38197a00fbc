import { describe, expect, it } from 'vitest'
import { readableLine, readTrouble } from './readable-line.ts'

const STORE =
  '{"level":40,"time":"2026-11-15T12:00:00.000Z","error":"Error (ECONNREFUSED) at a (b.ts:1) at c","msg":"store"}'
const LISTENING = '{"level":30,"time":"2026-11-15T12:00:00.000Z","port":8080,"msg":"listening"}'

describe('a log line for a person at a terminal', () => {
  it.each([
    ['2026-11-15T12:00:00.000Z info  tiny: loading…', 'tiny: loading…'],
    ['2026-11-15T12:00:00.000Z good  Connected', 'Connected'],
    ['2026-11-15T12:00:00.000Z warn  The disk is almost full', 'Warning: The disk is almost full'],
    ['Cannot open the store: no room', 'Cannot open the store: no room'],
    [LISTENING, 'listening (port: 8080)'],
    [STORE, 'Warning: store (error: Error (ECONNREFUSED))'],
    ['{"level":60,"time":"x","msg":"internal error, exiting"}', 'Error: internal error, exiting'],
    ['{"level":40,"time":"x","stack":["load a.js:1"],"msg":"no turn"}', 'Warning: no turn'],
    ['{"level":40,"time":"20', '{"level":40,"time":"20'],
  ])('has no time and no JSON: %s', (line, text) => {
    expect(readableLine(line)).toBe(text)
  })
})

it('only warnings and errors of a gateway are shown while it runs', () => {
  expect([STORE, LISTENING, 'plain'].map(readTrouble)).toStrictEqual([
    'Warning: store (error: Error (ECONNREFUSED))',
    undefined,
    undefined,
  ])
})
