// Headers of replies, as node:http takes them: name, value, name, value.

const EXPOSED =
  'x-request-id, x-service-ignored-params, x-service-budget, retry-after, x-hearth-queue-ms, x-hearth-device, x-hearth-attempts'

/** For replies that pages of every site may read. */
export const CORS = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED] as const

/** For all replies: a browser never takes one for something that its type doesn't say. */
export const NO_SNIFF = ['x-content-type-options', 'nosniff'] as const

export const EVENT_STREAM = [
  'content-type',
  'text/event-stream; charset=utf-8',
  'cache-control',
  'no-cache, no-transform',
  'x-accel-buffering',
  'no',
] as const

/** Longer than the idle timeout of common load balancers, so that the gateway never closes a connection that is about to be used. */
export const KEEP_ALIVE_MS = 75_000

export const KEEP_ALIVE = ['Connection', 'keep-alive', 'Keep-Alive', `timeout=${KEEP_ALIVE_MS / 1_000}`] as const

/** The same as lines of a response. */
export function toLines(headers: readonly string[]): string {
  let lines = ''
  for (let index = 0; index < headers.length; index += 2) lines += `${headers[index]}: ${headers[index + 1]}\r\n`
  return lines
}
