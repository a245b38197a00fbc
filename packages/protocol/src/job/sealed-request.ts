// A request that only its device can read. The gateway passes it on, and learns no more than its
// header says.

import { prefixScope, type ChatJob } from './chat-job.ts'
import {
  BOX_BYTES,
  MAX_BEGUN_ATTEMPTS,
  MAX_BEGUN_BYTES,
  MAX_NAME_LENGTH,
  MAX_SEAL_HEADER_LENGTH,
  MAX_SEAL_KEYS,
} from '../limits.ts'
import { asCount, asText, ProtocolError } from '../read-fields.ts'
import { key, list, maybe, object, text, type ValueOf } from '../shapes.ts'

/** The key to the box, for one device; both texts are base64url. */
const wrappedKey = object({
  device: text(MAX_NAME_LENGTH),
  /** X25519 */
  enc: key(32),
  /** A key of 32 bytes and its tag. */
  key: key(48),
})

export type WrappedKey = ValueOf<typeof wrappedKey>

/** As the client made it. */
const sealedJob = object({
  /** JSON in the clear. Everything else is bound to this exact text. */
  header: text(MAX_SEAL_HEADER_LENGTH),
  /** The sealed `ChatJob`, in base64. */
  box: asText,
  /** One for each device that may open the box. */
  keys: list(MAX_SEAL_KEYS, wrappedKey),
})

export type SealedJob = ValueOf<typeof sealedJob>

const begunAttempt = object({
  attempt: asCount,
  /** In base64, in the order of their sequence numbers. */
  boxes: list(MAX_BEGUN_BYTES / BOX_BYTES, asText),
})

export type BegunAttempt = ValueOf<typeof begunAttempt>

/**
 * Asks the device to put the tokens of its reply into its sealed events, so that another device can
 * continue it.
 */
const sealedRecovery = object({
  /**
   * The events that the client already has, if other devices began the reply. The device sends only
   * the rest.
   */
  begun: maybe((value, name) => {
    const begun = readBegun(value, name)
    const boxes = begun.flatMap((attempt) => attempt.boxes)
    if (boxes.reduce((bytes, box) => bytes + BOX_BYTES + box.length, 0) > MAX_BEGUN_BYTES)
      throw new ProtocolError(`"begun" must have at most ${MAX_BEGUN_BYTES} bytes`)
    return begun
  }),
})

const readBegun = list(MAX_BEGUN_ATTEMPTS, begunAttempt)

export type SealedRecovery = ValueOf<typeof sealedRecovery>

export const sealedRequest = object({
  sealed: sealedJob,
  /** From the header, for those who don't read it. */
  model: asText,
  /** The gateway adds it: the client doesn't know whose prompts are kept apart. */
  prefixScope: maybe(prefixScope),
  recovery: maybe(sealedRecovery),
})

export type SealedRequest = ValueOf<typeof sealedRequest>

/** Either can be the request of a job. */
export type JobRequest = ChatJob | SealedRequest

export function isSealed(request: JobRequest): request is SealedRequest {
  return 'sealed' in request
}
