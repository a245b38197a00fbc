// What the parts of the contract suite are given.

import type { ChatJob, Feature } from '@hearth/protocol'
import type { Engine } from '../engine.ts'
import type { Reply } from './collect-reply.ts'

export interface Harness {
  /** A new engine, not started. */
  create: () => Engine
  /** The one that is under test; it runs. */
  engine: () => Engine
  model: string
  features: readonly Feature[]
  /** A greedy job of a few tokens, with this in it. */
  job: (rest?: Partial<ChatJob>) => ChatJob
  ask: (rest?: Partial<ChatJob>) => Promise<Reply>
}
