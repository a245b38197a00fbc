// Heartbeats as bytes on the bus.

import { z } from 'zod'
import type { Heartbeat } from './core/heartbeat.ts'
import { MAX_GATEWAY_ID_LENGTH } from '../terms/gateway-id.ts'

export const HEARTBEATS = 'hearth.peers'

/** Far more than the gateways of one service. */
const MOST_PEERS = 256
const MAX_BYTES = 64 * 1024

const count = z.int().nonnegative()
const pairs = z.array(z.tuple([count, count])).max(MOST_PEERS)
const schema = z.object({
  id: z.string().max(MAX_GATEWAY_ID_LENGTH),
  number: count,
  sequence: count,
  acknowledged: count,
  newest: count,
  vouches: pairs,
  claims: pairs,
})

export function encodeHeartbeat(heartbeat: Heartbeat): Uint8Array {
  return Buffer.from(JSON.stringify(heartbeat))
}

/** Undefined for anything else: a gateway of another version may send other messages. */
export function readHeartbeat(payload: Uint8Array): Heartbeat | undefined {
  if (payload.length > MAX_BYTES) return undefined
  try {
    return schema.safeParse(JSON.parse(Buffer.from(payload).toString())).data
  } catch {
    return undefined
  }
}
