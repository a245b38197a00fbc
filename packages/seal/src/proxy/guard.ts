// Keeps web pages out: a page could otherwise send requests with the API key of whoever runs the proxy, or read replies through a host name
// of its own that leads to this machine.

import type { IncomingMessage } from 'node:http'
import { isLoopback } from '@hearth/command-line/gateway/gateway-address'
import { ApiError } from '@hearth/chat'

/** Throws an ApiError for a request that comes from a page. */
export function rejectPages({ headers }: Pick<IncomingMessage, 'headers'>): void {
  // Browsers send at least one of the two with every request of a page, and nobody else sends them.
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new ApiError(
      'wrong_origin',
      'Web pages cannot use hearth-seal. Send the request from a program on this machine.',
    )
  if (!isOwnHost(headers.host))
    throw new ApiError(
      'wrong_origin',
      'Use the base URL that hearth-seal prints at its start, with 127.0.0.1 or localhost.',
    )
}

function isOwnHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  return isLoopback(new URL(`http://${host}`).hostname)
}
