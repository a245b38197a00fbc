// One choice of one job, as the batch loop sees it.

import type { TokenLogprob } from '@hearth/protocol'
import type { EngineScope } from '../../engine.ts'
import type { Token } from '../native/native.ts'

export interface Generation {
  readonly prompt: readonly Token[]
  /** How many tokens at the end of the prompt another device drew. */
  readonly replayed?: number
  /** Whether the same prompt has to give the same numbers each time, even on a device that continues the reply. */
  readonly isRepeatable?: boolean
  /** Whether reading a token ends the reply only where `endsAt` says so, and never inserts tokens. */
  readonly hasNoSurprises?: boolean
  /** A generation with the same prompt: this one waits until that prompt is evaluated, then copies it. */
  readonly leader?: Generation
  /** Whose prompts it may reuse; undefined on gateways that don't say. */
  readonly scope?: EngineScope
  /** The first `reused` tokens of the prompt were already evaluated, and the first `own` of them for the same scope. */
  onStart(reused: number, own: number): void
  onPrompt(done: number): void
  /** Draws from the distribution at `at`. The decode that computes it may still be waiting for its turn. */
  draw(at: number): Promise<Drawn>
  /** `at` is likely drawn from soon. */
  prepare?(at: number): void
  /** Resolves when nothing that was prepared is still being read. Undefined if there is nothing. */
  settle?(): Promise<void> | undefined
  /** Tokens that likely follow the one that was drawn last. */
  foresee?(): readonly Token[]
  /** Whether the reply surely ends with this token. It may also turn out so when the token is read. */
  endsAt(token: Token): boolean
  /**
   * Reads the token. Returns the tokens to continue with, or none when finished: the drawn one, and those that were inserted after it. On a
   * GPU, and without surprises, the drawn one is being evaluated already.
   */
  next(drawn: Drawn): Promise<readonly Token[]>
  /** Called once, when the slot is free again. */
  onEnd(error?: unknown): void
}

export interface Drawn {
  readonly token: Token
  readonly logprob?: TokenLogprob
}
