// Says how a process ended and what happens next, for the person at the terminal.

import { howItEnded, type End } from '@hearth/command-line/processes/child-end'

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
