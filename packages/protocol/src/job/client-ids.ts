// What the client of a request calls it. Gateways and devices write both into their logs, so that
// one search finds the request everywhere. Nothing is repaired: a value that isn't clean counts as
// not sent.

import { MAX_REQUEST_ID_LENGTH } from '../limits.ts'
import { asText, ProtocolError, type Read } from '../read-fields.ts'
import { maybe, object, type ValueOf } from '../shapes.ts'

/** Harmless in a log, in JSON, in a header and in a spreadsheet. */
export const REQUEST_ID = new RegExp(`^[A-Za-z0-9][\\w.:/+=-]{0,${MAX_REQUEST_ID_LENGTH - 1}}$`)
/** Version 00 of W3C Trace Context: trace, parent and flags. Neither id may be zero. */
export const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
/** A later version may say more behind what version 00 says. */
const LATER = /^(?!00|ff)[0-9a-f]{2}(-.{52})(?:-.*)?$/

export const clientIds = object({
  requestId: maybe(matching(REQUEST_ID, 'a request id')),
  traceparent: maybe(matching(TRACEPARENT, 'a traceparent')),
})

export type ClientIds = ValueOf<typeof clientIds>

/** From the headers `x-request-id` and `traceparent`. Undefined if neither says anything. */
export function readClientIds(requestId: string | undefined, traceparent: string | undefined): ClientIds | undefined {
  if (requestId === undefined && traceparent === undefined) return undefined
  const known = traceparent?.replace(LATER, '00$1') ?? ''
  const ids = {
    ...(requestId !== undefined && REQUEST_ID.test(requestId) && { requestId }),
    ...(TRACEPARENT.test(known) && { traceparent: known }),
  }
  return ids.requestId === undefined && ids.traceparent === undefined ? undefined : ids
}

/** The trace that the request belongs to, if the client said. */
export function traceOf(ids: ClientIds | undefined): string | undefined {
  return ids?.traceparent?.slice(3, 35)
}

function matching(pattern: RegExp, what: string): Read<string> {
  return (value, name) => {
    const found = asText(value, name)
    if (!pattern.test(found)) throw new ProtocolError(`"${name}" must be ${what}`)
    return found
  }
}
