import type { IncomingMessage } from 'node:http'
import { readClientIds, type ClientIds } from '@hearth/protocol'

/** What the client calls its request, as far as it is clean. */
export function clientIdsOf({ headers }: IncomingMessage): ClientIds | undefined {
  return readClientIds(headers['x-request-id']?.toString(), headers['traceparent']?.toString())
}
