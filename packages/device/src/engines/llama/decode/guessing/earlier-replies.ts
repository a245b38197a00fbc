// The latest replies of each scope, which stands for an API key or a client that seals: what somebody asks for often comes in the same form
// again, above all JSON. Nobody's replies help to guess those of others, so the speed of a reply tells nothing about them. Nothing of it
// leaves the memory of this process.

import type { EngineScope } from '../../../engine.ts'
import type { Token } from '../../native/native.ts'

/** The one used longest ago is forgotten. */
const MOST_SCOPES = 64
/** Of each scope. */
const MOST_TOKENS = 4_096
/** A shorter reply has little to gain. */
const LEAST_TOKENS = 16
/** Tokens of the prompt's end, which are the same in all prompts of a template: the first tokens of a reply are guessed after them. */
const LEAD = 3

export class EarlierReplies {
  /** By scope, the one used longest ago first. */
  readonly #tokens = new Map<string, readonly Token[]>()

  of(scope: EngineScope | undefined): readonly Token[] {
    return (scope && this.#tokens.get(scope.name)) ?? []
  }

  /** `tokens` are those of the prompt and of the reply. */
  add(scope: EngineScope | undefined, tokens: readonly Token[], promptLength: number): void {
    if (scope === undefined || tokens.length < promptLength + LEAST_TOKENS) return
    const reply = tokens.slice(Math.max(0, promptLength - LEAD))
    const all = [...this.of(scope), ...reply].slice(-MOST_TOKENS)
    this.#tokens.delete(scope.name)
    this.#tokens.set(scope.name, all)
    const [oldest] = this.#tokens.keys()
    if (this.#tokens.size > MOST_SCOPES && oldest !== undefined) this.#tokens.delete(oldest)
  }
}
