// The reply of a sealed job: the gateway passes on what it cannot read.

import type { Failed, Reply } from '@hearth/chat'

/** As the device sent it. */
export interface SealedEvent {
  readonly attempt: number
  readonly sequence: number
  readonly box: string
}

/** Called synchronously and in order as frames arrive, like any reply. */
export interface SealedReply extends Pick<Reply, 'placed' | 'restart'> {
  sealed(event: SealedEvent): void
  /** The front keeps so many bytes of boxes, which another device needs to continue the reply. False if there is no memory for them. */
  keep(bytes: number): boolean
  end(event: SealedEvent): void
  /** With `error`, a box of the device says more. */
  fail(outcome: Failed, error: SealedError | undefined): void
}

export type SealedError = Omit<SealedEvent, 'sequence'>

/** Where the events of a job go. */
export type Recipient =
  | { readonly kind: 'plain'; readonly reply: Reply }
  | { readonly kind: 'sealed'; readonly reply: SealedReply }
