import { expect, it } from 'vitest'
import type { NotedEvent } from '../console-api/console.ts'
import { noteAccountEvent } from './meters.ts'

/** What one event writes and counts. */
function note(noted: NotedEvent) {
  const lines: object[] = []
  const counted: string[] = []
  const log = { info: (fields: object, text: string) => lines.push({ ...fields, text }) }
  const metrics = { accountEvent: (event: string) => counted.push(event) }
  type Given = Parameters<typeof noteAccountEvent>
  noteAccountEvent(noted, { log } as unknown as Given[1], { metrics } as unknown as Given[2])
  return { lines, counted }
}

it('a sign-in and a failed attempt are a line of the log, with the person by id and the address, and a count', () => {
  const address = '192.0.2.1'
  expect(note({ event: 'wrong-password', person: 'p1', address })).toEqual({
    lines: [{ event: 'wrong-password', person: 'p1', address, text: 'account' }],
    counted: ['wrong-password'],
  })
  expect(note({ event: 'unknown-account', address })).toEqual({
    lines: [{ event: 'unknown-account', address, text: 'account' }],
    counted: ['unknown-account'],
  })
})
