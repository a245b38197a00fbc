// Prints the last lines of the app, also of one that has ended.

import { CommandError } from '@hearth/command-line/errors'
import { followLog, readLog, splitLogLine, untilUnread } from '../state/read-log.ts'
import type { Level } from '@hearth/command-line/terminal/screen'
import type { Context } from './context.ts'

const DEFAULT_LINES = 100
const LEVELS: readonly Level[] = ['good', 'info', 'warn', 'bad']

export interface LogOptions {
  lines: string | undefined
  follows: boolean
}

export async function showLogs(
  { lines, follows }: LogOptions,
  { state, screen, startCommand }: Context,
): Promise<void> {
  const count = readCount(lines)
  const show = (line: string): void => {
    const { time, label, text } = splitLogLine(line) ?? { time: '', label: 'info', text: line }
    screen.line(LEVELS.find((level) => level === label) ?? 'info', `${time} ${text}`.trim())
  }
  const kept = readLog(state.log)
  if (kept.length === 0) screen.line('info', `The device app has not run here yet → ${startCommand}`)
  for (const line of kept.slice(-count)) show(line)
  if (follows) await followLog(state.log, show, untilUnread())
}

function readCount(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LINES
  if (/^\d{1,6}$/.test(text) && Number(text) > 0) return Number(text)
  throw new CommandError(`Invalid value "${text}" for --lines`, 'choose a number from 1 up')
}
