// Heartbeats as bytes on the bus.

import { z } from 'zod'
import type { Heartbeat } from './core/heartbeat.ts'

export const HEARTBEATS = 'hearth.peers'

const count = z.int().nonnegative()
const schema = z.object({
  id: z.string(),
  number: count,
  sequence: count,
  acknowledged: count,
  newest: count,
  vouches: z.array(z.tuple([count, count])),
  claims: z.array(z.tuple([count, count])),
})

export function encodeHeartbeat(heartbeat: Heartbeat): Uint8Array {
  return Buffer.from(JSON.stringify(heartbeat))
}

/** Undefined for anything else: a gateway of another version may send other messages. */
export function readHeartbeat(payload: Uint8Array): Heartbeat | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(payload).toString())).data
  } catch {
    return undefined
  }
}
