// A gateway's word that it is there, as it comes over the bus.

import { isGatewayId } from '../../terms/gateway-id.ts'

export interface Announcement {
  from: string
  version: string
}

const MAX_BYTES = 1_024

/** Undefined for anything else: a gateway of another version may send other messages. */
export function readAnnouncement(payload: Uint8Array): Announcement | undefined {
  if (payload.length > MAX_BYTES) return undefined
  try {
    const said: unknown = JSON.parse(Buffer.from(payload).toString())
    return isAnnouncement(said) ? said : undefined
  } catch {
    return undefined
  }
}

function isAnnouncement(said: unknown): said is Announcement {
  if (typeof said !== 'object' || said === null || !('from' in said) || !('version' in said)) return false
  return isGatewayId(said.from) && typeof said.version === 'string'
}
