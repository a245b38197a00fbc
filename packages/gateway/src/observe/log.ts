// Structured logs, one JSON object per line. Each log call names its fields one by one; no request, header or body is ever passed to the
// logger, so content cannot leak into it.

import { pino, destination, type Logger } from 'pino'

export type Log = Logger

/** Lines are written in batches, at the latest after this time. */
const FLUSH_MS = 1_000

export function createLog(level: string): Log {
  const target = destination({ sync: false, minLength: 4_096 })
  setInterval(() => target.flush(), FLUSH_MS).unref()
  process.once('exit', () => target.flushSync())
  return pino({ level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }, target)
}
