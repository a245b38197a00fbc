// A request to a device about its models, and how it ended.

import type { ModelReply, ModelRequestFrame } from '@hearth/protocol'

/** A request without its number. */
export type ModelAsk = DistributiveOmit<ModelRequestFrame, 'request'>
type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never

export type ModelAnswer =
  | { kind: 'replied'; reply: ModelReply }
  /** The device is not connected, or its link ended before it answered. It may have done what was asked. */
  | { kind: 'gone' }
  /** The device app is too old for such requests. */
  | { kind: 'unsupported' }
  | { kind: 'silent' }
