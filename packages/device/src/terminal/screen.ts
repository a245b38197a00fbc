// Where lines go. On a terminal: signs and colours, and one live line at the bottom that is written over. Elsewhere there is no live line;
// a program that runs for days writes a log with times.

import { styleText } from 'node:util'
import type { Level } from './describe-news.ts'

export interface Screen {
  line(level: Level, text: string): void
  /** What is going on at this moment; undefined takes it away. */
  live(text: string | undefined): void
}

export interface Output {
  isTTY?: boolean
  columns?: number
  write(text: string): unknown
}

const SIGNS: Record<Level, { sign: string; word: string; colour: 'green' | 'gray' | 'yellow' | 'red' }> = {
  good: { sign: '✓', word: 'info ', colour: 'green' },
  info: { sign: '·', word: 'info ', colour: 'gray' },
  warn: { sign: '!', word: 'warn ', colour: 'yellow' },
  bad: { sign: '✗', word: 'error', colour: 'red' },
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
    line: (level, text) => output.write(`${mark(level)} ${oneLine(text)}\n`),
    live: () => {},
  }
}

function createLog(output: Output, now: () => Date): Screen {
  return {
    line: (level, text) => output.write(`${now().toISOString()} ${SIGNS[level].word} ${oneLine(text)}\n`),
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

/** The coloured sign of a level; plain where colours are not wanted. */
function mark(level: Level): string {
  const { sign, colour } = SIGNS[level]
  return styleText(colour, sign)
}

/** Names and messages may come from elsewhere: nothing of them may move the cursor or begin a line. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
}
