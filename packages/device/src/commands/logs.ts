// Prints the last lines of the app, also of one that has ended.

import { printLog, readLog, splitLogLine, type LogOptions } from '../state/read-log.ts'
import type { Level } from '@hearth/command-line/terminal/screen'
import type { Context } from './context.ts'

const LEVELS: readonly Level[] = ['good', 'info', 'warn', 'bad']

export async function showLogs(options: LogOptions, { state, screen, startCommand }: Context): Promise<void> {
  if (readLog(state.log).length === 0) screen.line('info', `The device app has not run here yet → ${startCommand}`)
  await printLog(state.log, options, (line) => {
    const { time, label, text } = splitLogLine(line) ?? { time: '', label: 'info', text: line }
    screen.line(LEVELS.find((level) => level === label) ?? 'info', `${time} ${text}`.trim())
  })
}
