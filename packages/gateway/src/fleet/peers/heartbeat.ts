// Gateways send each other heartbeats all the time. They decide only whether others may continue without the database.

import { z } from 'zod'
import { readMessage } from '../../bus/read-message.ts'
import { MAX_GATEWAY_ID_LENGTH } from '../terms/gateway-id.ts'

export const HEARTBEATS = 'hearth.peers'

/** Far more than the gateways of one service. */
const MOST_PEERS = 256
const MAX_BYTES = 64 * 1024

const count = z.int().nonnegative()
const pairs = z.array(z.tuple([count, count])).max(MOST_PEERS)
const heartbeat = z.object({
  id: z.string().max(MAX_GATEWAY_ID_LENGTH),
  number: count,
  /** Grows with every heartbeat of this number. */
  sequence: count,
  /** The newest generation that the database has the sender's acknowledgement of. */
  acknowledged: count,
  /** The newest generation that it knows to exist. */
  newest: count,
  /** For whom the sender vouches, as pairs of their number and the sequence number of their last heartbeat. */
  vouches: pairs,
  /** Rows that the sender is about to remove, as pairs of their number and turn. Their gateways no longer count on the word of others. */
  claims: pairs,
})
export type Heartbeat = z.infer<typeof heartbeat>

export function encodeHeartbeat(said: Heartbeat): Uint8Array {
  return Buffer.from(JSON.stringify(said))
}

/** Undefined for anything else: a gateway of another version may send other messages. */
export function readHeartbeat(payload: Uint8Array): Heartbeat | undefined {
  return payload.length > MAX_BYTES ? undefined : readMessage(heartbeat, payload)
}
