// Says how a process ended and what happens next, for the person at the terminal.

import type { End } from './part-process.ts'

/** One line. */
export function describeEnd(name: string, end: End, lines: readonly string[]): string {
  const why = end.name === 'exited' ? (lines.at(-1) ?? howItEnded(end)) : howItEnded(end)
  return `${name} stopped (${why})`
}

/** About a part that never came up. */
export function explainEnd(name: string, end: End, lines: readonly string[]): string {
  const said = lines.length > 0 ? `Its last lines:\n\n${lines.map((line) => `  ${line}`).join('\n')}\n\n` : ''
  return `Cannot start Hearth: ${name} stopped (${howItEnded(end)}) before it was ready. ${said}Fix the cause, then run npm start again. Your data is kept`
}

export function howItEnded(end: End): string {
  switch (end.name) {
    case 'exited':
      return `exit code ${end.code}`
    case 'killed':
      return end.signal
    case 'failed':
      return end.message
    default:
      return end satisfies never
  }
}
