// `hearth logs`: the last lines of the gateway and the device.

import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs'
import { readableLine } from '../supervise/readable-line.ts'
import { UsageError } from '../start/options.ts'
import { logFiles } from '../terminal/log-file.ts'
import { findInstance } from './find-instance.ts'

const DEFAULT_LINES = 100
const LOOK_MS = 500

export interface LogOptions {
  data: string | undefined
  lines: string | undefined
  follows: boolean
}

export async function showLogs({ data, lines, follows }: LogOptions): Promise<number> {
  const count = readCount(lines)
  const found = findInstance(data, process.env)
  if (found === undefined) {
    console.error('There is no Hearth on this machine yet. To start it: npm start')
    return 1
  }
  const { folder } = found.instance
  const last = readLog(folder).slice(-count)
  for (const line of last) console.log(showLine(line))
  if (follows) await keepShowing(folder)
  return 0
}

function readCount(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LINES
  if (/^\d{1,6}$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`Cannot print "${text}" lines. Choose a number from 1 up`)
}

function readLog(folder: string): string[] {
  const { current, older } = logFiles(folder)
  return [older, current].flatMap((path) =>
    existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [],
  )
}

/** `2026-11-17T00:00:00.000Z gateway: {…}` */
function showLine(line: string): string {
  const [, time = '', part, text = ''] = /^(\S+) ([^:]+): (.*)$/s.exec(line) ?? []
  return part === undefined ? line : `${time.slice(0, 19).replace('T', ' ')} ${part}: ${readableLine(text)}`
}

/** Until the process is interrupted. The files are small, so each look reads them whole. */
async function keepShowing(folder: string): Promise<void> {
  const { current } = logFiles(folder)
  let last = readLog(folder).at(-1)
  watchFile(current, { interval: LOOK_MS }, () => {
    const lines = readLog(folder)
    const from = last === undefined ? 0 : lines.lastIndexOf(last) + 1
    for (const line of lines.slice(from)) console.log(showLine(line))
    last = lines.at(-1)
  })
  const interrupted = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.resolve())
  await interrupted.promise
  unwatchFile(current)
}
