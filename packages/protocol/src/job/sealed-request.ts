// A request that only its device can read. The gateway passes it on, and learns no more than its header says.

import type { ChatJob, PrefixScope } from './chat-job.ts'

/** Either can be the request of a job. */
export type JobRequest = ChatJob | SealedRequest

export interface SealedRequest {
  sealed: SealedJob
  /** From the header, for those who don't read it. */
  model: string
  /** The gateway adds it: the client doesn't know whose prompts are kept apart. */
  prefixScope?: PrefixScope
  recovery?: SealedRecovery
}

/** As the client made it. */
export interface SealedJob {
  /** JSON in clear. Everything else is bound to this exact text. */
  header: string
  /** The sealed `ChatJob`, in base64. */
  box: string
  /** One for each device that may open the box. */
  keys: WrappedKey[]
}

/** The key to the box, for one device; both texts are base64url. */
export interface WrappedKey {
  device: string
  enc: string
  key: string
}

/** Asks the device to put the tokens of its reply into its sealed events, so that another device can continue it. */
export interface SealedRecovery {
  /** The events that the client already has, if other devices began the reply. The device sends only the rest. */
  begun?: BegunAttempt[]
}

export interface BegunAttempt {
  attempt: number
  /** In base64, in the order of their sequence numbers. */
  boxes: string[]
}

export function isSealed(request: JobRequest): request is SealedRequest {
  return 'sealed' in request
}
