// Turns a part's log line into text for a person at a terminal: without its time, and with a level only when something is wrong.

import { parseFields } from '@hearth/sealing/fields'

const DEVICE_LEVELS: Readonly<Record<string, string>> = { warn: 'Warning: ', bad: 'Error: ' }
const WARNING = 40
const ERROR = 50
const LONGEST_VALUE = 200

/** Works for the JSON lines of the gateway and the lines of the device app. Others stay as they are. */
export function readableLine(line: string): string {
  const level = gatewayLevel(line)
  if (level !== undefined) return readGatewayLine(line, level)
  const [, word = '', text] = /^\d{4}-\S+Z (\w+) +(.*)$/.exec(line) ?? []
  return text === undefined ? line : (DEVICE_LEVELS[word] ?? '') + text
}

/** The text of a gateway's warning or error; undefined for all other lines. There is one per request, so most are not even parsed. */
export function readTrouble(line: string): string | undefined {
  const level = gatewayLevel(line)
  return level !== undefined && level >= WARNING ? readGatewayLine(line, level) : undefined
}

/** What it means, only the supervisor knows. The line itself is for the log. */
export function saysWhereItHangs(line: string): boolean {
  return gatewayLevel(line) !== undefined && line.includes('"stack":')
}

function gatewayLevel(line: string): number | undefined {
  const level = /^\{"level":(\d+),/.exec(line)?.[1]
  return level === undefined ? undefined : Number(level)
}

function readGatewayLine(line: string, level: number): string {
  // It was cut if the process was stopped in the middle of it.
  const fields = parseFields(line)
  if (fields === undefined) return line
  const { level: _level, time: _time, stack: _stack, msg, ...facts } = fields
  const details = Object.entries(facts).map(([name, value]) => `${name}: ${readValue(value)}`)
  const prefix = level >= ERROR ? 'Error: ' : level >= WARNING ? 'Warning: ' : ''
  return prefix + String(msg) + (details.length > 0 ? ` (${details.join(', ')})` : '')
}

/** Errors come with the place in the code, which stays in the gateway's own log. */
function readValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.replace(/ at .*$/s, '').slice(0, LONGEST_VALUE)
}
