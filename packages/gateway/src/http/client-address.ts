import type { IncomingMessage } from 'node:http'
import { dropUnprintable } from '../text/printable.ts'

/** The client's address: the socket's, unless the operator trusts a proxy. In a list of addresses, the proxy added the last one itself. */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  addressHeader: string,
): string {
  const named = addressHeader === '' ? undefined : headers[addressHeader.toLowerCase()]
  const last = named && dropUnprintable(named.toString().split(',').at(-1) ?? '').trim()
  return last || (socket.remoteAddress ?? '')
}
