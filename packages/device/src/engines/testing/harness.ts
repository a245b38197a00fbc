// Shared setup for the parts of the contract suite.

import type { ChatJob, Feature } from '@hearth/protocol'
import type { Engine } from '../engine.ts'
import type { Reply } from './collect-reply.ts'

export interface Harness {
  /** A new engine, not started. */
  create: () => Engine
  /** The engine under test, already started. */
  engine: () => Engine
  model: string
  features: readonly Feature[]
  /** A request gets the same reply each time at temperature 0. */
  isSteady: boolean
  /** A greedy job of a few tokens, with these fields. */
  job: (rest?: Partial<ChatJob>) => ChatJob
  ask: (rest?: Partial<ChatJob>) => Promise<Reply>
}
