/** The gateway's settings start from these. hearth-seal has them too, so that it rejects what the gateway would. */
export const USUAL_LIMITS = {
  maxBodyBytes: 20 * 1024 * 1024,
  maxMessages: 4_096,
  maxTools: 1_024,
  /** After this long without a token, a stream sends something to keep the connection open. */
  heartbeatMs: 15_000,
  /** A client that has not read for this long is disconnected. */
  stallMs: 60_000,
} as const

/** No real answer is this long. A device that sends more would fill up our memory. */
export const MAX_REPLY_BYTES = 64 * 1024 * 1024
