// Reads the lines of a log file, and waits for new ones.

import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs'
import { CommandError } from '@hearth/command-line/errors'
import { untilStopped } from '@hearth/command-line/processes/stop-signals'
import { olderLog } from './log-file.ts'

const LOOK_MS = 500

export interface LogOptions {
  lines: string | undefined
  follows: boolean
}

/** The last lines, and new ones until nobody reads them. */
export async function printLog(
  path: string,
  { lines = '100', follows }: LogOptions,
  print: (line: string) => void,
): Promise<void> {
  if (!/^[1-9]\d{0,5}$/.test(lines))
    throw new CommandError(`Invalid value "${lines}" for --lines`, 'choose a number from 1 up')
  for (const line of readLog(path).slice(-Number(lines))) print(line)
  if (follows) await followLog(path, print, untilUnread())
}

export function readLog(path: string): string[] {
  return [olderLog(path), path].flatMap((file) =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [],
  )
}

/** Until the signal is aborted. The files are small, so each look reads them whole. */
async function followLog(path: string, onLine: (line: string) => void, signal: AbortSignal): Promise<void> {
  let last = readLog(path).at(-1)
  watchFile(path, { interval: LOOK_MS }, () => {
    const lines = readLog(path)
    const from = last === undefined ? 0 : lines.lastIndexOf(last) + 1
    for (const line of lines.slice(from)) onLine(line)
    last = lines.at(-1)
  })
  const aborted = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => aborted.resolve())
  if (!signal.aborted) await aborted.promise
  unwatchFile(path)
}

/** `2026-11-17T00:00:00.000Z gateway: listening` */
export function splitLogLine(line: string): { time: string; label: string; text: string } | undefined {
  const [, time = '', label, text = ''] = /^(\S+) ([^:]+): (.*)$/s.exec(line) ?? []
  return label === undefined ? undefined : { time: time.slice(0, 19).replace('T', ' '), label, text }
}

/** Aborted by Ctrl-C, or when the reader of the output has gone: `hearth logs --follow | head`. */
function untilUnread(): AbortSignal {
  const gone = new AbortController()
  process.stdout.once('error', () => gone.abort())
  return AbortSignal.any([untilStopped(), gone.signal])
}
