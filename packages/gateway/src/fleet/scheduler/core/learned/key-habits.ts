// How long the answers to a key usually are. A program that asks for one word gets short answers, and one that writes reports gets long ones.
// Until a key has had a few answers, it counts as an ordinary one.

import { forgetOldest } from '../../../../forget-oldest.ts'

/** Each answer weighs this much less than the next one, so that about the last hundred count. */
const KEPT = 0.99
/** Every key starts with this many ordinary answers: a few answers say little about the next one. */
const ASSUMED = 3
/** Per model: any number of keys may come and go. */
export const REMEMBERED_KEYS = 1_000

interface Mean {
  weight: number
  /** Of the logarithms of lengths: one very long answer must not count like a hundred. */
  logs: number
}

export class KeyHabits {
  readonly #habits = new Map<string, Mean>()
  readonly #ordinary: Mean = { weight: 0, logs: 0 }
  /** The latest result, as most questions about a key come one after another. */
  #asked = ''
  #usual = Number.NaN

  /** An answer with this many tokens has ended. */
  add(key: string, tokens: number): void {
    const log = Math.log(tokens + 1)
    const habit = this.#habits.get(key) ?? { weight: 0, logs: 0 }
    this.#habits.set(key, habit)
    forgetOldest(this.#habits, REMEMBERED_KEYS)
    count(this.#ordinary, log)
    count(habit, log)
    this.#usual = Number.NaN
  }

  /** The usual length of the key's answers. */
  usualTokens(key: string): number {
    if (key === this.#asked && this.#usual > 0) return this.#usual
    this.#asked = key
    return (this.#usual = this.#compute(key))
  }

  #compute(key: string): number {
    const { weight, logs } = this.#ordinary
    if (weight === 0) return 1
    const own = this.#habits.get(key)
    const ordinary = logs / weight
    return Math.exp(own === undefined ? ordinary : (own.logs + ASSUMED * ordinary) / (own.weight + ASSUMED))
  }
}

function count(mean: Mean, log: number): void {
  mean.weight = mean.weight * KEPT + 1
  mean.logs = mean.logs * KEPT + log
}
