const LEVELS: Readonly<Record<string, string>> = { info: '', good: '', warn: 'Warning: ', bad: 'Error: ' }

/** A log line of the device app for a person at a terminal: without its time, and with a level only when something is wrong. */
export function toStep(line: string): string {
  const [, level, text] = /^\d{4}-\S+Z (\w+) +(.*)$/.exec(line) ?? []
  return text === undefined ? line : (LEVELS[level!] ?? '') + text
}
