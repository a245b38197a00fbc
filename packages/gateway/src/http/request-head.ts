// What the head of a request says: its method, its key, and where it comes from.

import type { IncomingMessage } from 'node:http'
import { ApiError } from '@hearth/chat'
import { dropUnprintable } from '../text/printable.ts'

/** Throws a 405 for any other method. */
export function allowMethods({ method }: IncomingMessage, path: string, allowed: readonly string[]): void {
  if (allowed.includes(method ?? '')) return
  throw new ApiError('method_not_allowed', `Not allowed to ${method} on ${path}.`, null, { allow: allowed.join(', ') })
}

/** Two Authorization headers count as none: `headers` of node:http would silently have the first. */
export function oneAuthorization({ headersDistinct }: Pick<IncomingMessage, 'headersDistinct'>): string | undefined {
  const [value, ...others] = headersDistinct['authorization'] ?? []
  return others.length === 0 ? value : undefined
}

/** The client's address: the socket's, unless the operator trusts a proxy. In a list of addresses, the proxy added the last one itself. */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  addressHeader: string,
): string {
  const named = addressHeader === '' ? undefined : headers[addressHeader.toLowerCase()]
  const last = named && dropUnprintable(named.toString().split(',').at(-1) ?? '').trim()
  return last || (socket.remoteAddress ?? '')
}
