// `hearth logs`: the last lines of the gateway and the device.

import { followLog, readLog, splitLogLine, untilUnread } from '@hearth/device'
import { readableLine } from '../supervise/readable-line.ts'
import { UsageError } from '../start/options.ts'
import { logPath } from '../terminal/log-path.ts'
import { findInstance } from './find-instance.ts'
import { describeRest } from './not-running.ts'

const DEFAULT_LINES = 100

export interface LogOptions {
  data: string | undefined
  lines: string | undefined
  follows: boolean
}

export async function showLogs({ data, lines, follows }: LogOptions): Promise<number> {
  const count = readCount(lines)
  const found = findInstance({ data, environment: process.env })
  if (found === undefined) throw new Error(describeRest(undefined))
  const path = logPath(found.instance.folder)
  const print = (line: string): void => console.log(showLine(line))
  for (const line of readLog(path).slice(-count)) print(line)
  if (follows) await followLog(path, print, untilUnread())
  return 0
}

function readCount(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LINES
  if (/^\d{1,6}$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`Cannot print "${text}" lines. Choose a number from 1 up`)
}

function showLine(line: string): string {
  const parts = splitLogLine(line)
  return parts === undefined ? line : `${parts.time} ${parts.label}: ${readableLine(parts.text)}`
}
