// Structured logs, one JSON object per line. Each log call names its fields one by one; no request, header or body is ever passed to the
// logger, so content cannot leak into it.

import { pino, type Logger } from 'pino'
import { LogOutput } from './log-output.ts'

export interface Log extends Logger {
  /** A line at level info, for the one that every request writes. `fields` is JSON without its braces, `message` needs no escaping. */
  writeFields(fields: string, message: string): void
}

/** Lines are written in batches, after this time at most. */
const FLUSH_MS = 1_000
const STDOUT = 1

export function createLog(level: string): Log {
  const output = new LogOutput({ fd: STDOUT })
  setInterval(() => output.flush(), FLUSH_MS).unref()
  process.once('exit', () => output.flushSync())
  const timestamp = createTimestamps()
  const log = pino({ level, base: null, timestamp }, output)
  const writeFields = (fields: string, message: string) => {
    if (log.isLevelEnabled('info')) output.write(`{"level":30${timestamp()},${fields},"msg":"${message}"}\n`)
  }
  return Object.assign(log, { writeFields })
}

/** Many lines of a busy gateway have the same millisecond; its text is made once. */
function createTimestamps(): () => string {
  let at = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`
    at = now
    return text
  }
}
