// Plain connections of an attacker. Whatever happens to one is a result, not an error.

import { connect, type OnReadOpts, type Socket } from 'node:net'

/** With `onread`, it stops reading when that returns false. */
export function connectTo(origin: string, onread?: OnReadOpts): Socket {
  const { hostname, port } = new URL(origin)
  return connect({ host: hostname, port: Number(port), ...(onread && { onread }) }).on('error', () => {})
}
