// Whether anyone can sign in yet. Everyone who opens the console asks, signed in or not, so the answer comes from memory: the store is asked
// at most once a second, however many ask.

import type { Store } from '../../store/store.ts'

/** Until someone has set up the gateway, people wait for it. */
const BEFORE_MS = 1_000
/** Hardly ever changes: only if the operator resets the only person. */
const AFTER_MS = 10_000

export class SignInState {
  readonly #store: Pick<Store, 'isSetUp'>
  readonly #now: () => number
  #isSetUp = false
  #validUntil = Number.NEGATIVE_INFINITY
  #reading: Promise<boolean> | undefined

  constructor(store: Pick<Store, 'isSetUp'>, now: () => number = () => performance.now()) {
    this.#store = store
    this.#now = now
  }

  async isSetUp(): Promise<boolean> {
    if (this.#now() < this.#validUntil) return this.#isSetUp
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  /** Someone has just set up this gateway. */
  note(isSetUp: boolean): void {
    this.#isSetUp = isSetUp
    this.#validUntil = this.#now() + (isSetUp ? AFTER_MS : BEFORE_MS)
  }

  async #read(): Promise<boolean> {
    this.note(await this.#store.isSetUp())
    return this.#isSetUp
  }
}
