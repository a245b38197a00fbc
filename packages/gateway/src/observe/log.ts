// Structured logs, one JSON object per line. Fields are named one by one where a line is written; no request object, header or body is ever
// handed to the logger, so content cannot slip in.

import { pino, destination, type Logger } from 'pino'

export type Log = Logger

/** Lines are collected and written together; a second is the longest one waits. */
const FLUSH_MS = 1_000

export function createLog(level: string): Log {
  const target = destination({ sync: false, minLength: 4_096 })
  setInterval(() => target.flush(), FLUSH_MS).unref()
  process.once('exit', () => target.flushSync())
  return pino({ level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }, target)
}
