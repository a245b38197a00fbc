// Prints lines. A terminal gets symbols, colors and one live line at the bottom that is redrawn in place. A pipe or a log file gets no live
// line; a program that runs for days writes a timestamp on each line instead.

import { styleText } from 'node:util'

export type Level = 'good' | 'info' | 'warn' | 'bad'

export interface Screen {
  line(level: Level, text: string): void
  /** The live line; undefined clears it. */
  live(text: string | undefined): void
}

export interface Output {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

const SIGNS: Record<Level, { sign: string; word: string; color: 'green' | 'gray' | 'yellow' | 'red' }> = {
  good: { sign: '✓', word: 'info ', color: 'green' },
  info: { sign: '·', word: 'info ', color: 'gray' },
  warn: { sign: '!', word: 'warn ', color: 'yellow' },
  bad: { sign: '✗', word: 'error', color: 'red' },
}
const CLEAR_LINE = '\r\u001B[2K'

export function createScreen(output: Output): Screen {
  return output.isTTY === true ? createTerminal(output) : createPlain(output)
}

export function createLogScreen(output: Output, now: () => Date): Screen {
  return output.isTTY === true ? createTerminal(output) : createLog(output, now)
}

function createPlain(output: Output): Screen {
  return {
    line: (level, text) => void output.write(`${mark(level)} ${oneLine(text)}\n`),
    live: () => {},
  }
}

function createLog(output: Output, now: () => Date): Screen {
  return {
    line: (level, text) => void output.write(`${now().toISOString()} ${SIGNS[level].word} ${oneLine(text)}\n`),
    live: () => {},
  }
}

function createTerminal(output: Output): Screen {
  let live: string | undefined
  const clear = (): string => (live === undefined ? '' : CLEAR_LINE)
  const cut = (text: string): string => text.slice(0, Math.max(20, (output.columns ?? 80) - 1))
  return {
    line(level, text) {
      output.write(`${clear()}${mark(level)} ${oneLine(text)}\n${live ?? ''}`)
    },
    live(text) {
      const next = text === undefined ? undefined : cut(oneLine(text))
      if (next === live) return
      output.write(clear() + (next ?? ''))
      live = next
    },
  }
}

/** The colored symbol of a level; without color if the output doesn't support it. */
function mark(level: Level): string {
  const { sign, color } = SIGNS[level]
  return styleText(color, sign)
}

/** Names and messages may come from outside, so they must not be able to move the cursor or start a new line. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}
