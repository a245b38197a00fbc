// Jobs that are not there yet and will go before some that wait, because their keys were served less. Each key is assumed to keep asking as
// often as it did.

import type { Lane } from '../state.ts'
import type { Ms } from '../../../terms/job.ts'

export interface Newcomer {
  readonly key: string
  readonly everyMs: Ms
  /** Tokens that the key is charged for a job. */
  readonly cost: number
  /** Tokens that the key was charged before its next job. */
  level: number
  /** When that job comes, counted from now. */
  at: Ms
}

const MOST_KEYS = 16
/** Beyond that, the line is so long that it evens out. */
const MOST_JOBS = 300

/** Keys that may send jobs soon. */
export function expectNewcomers({ queue, habits }: Lane, now: Ms): Newcomer[] {
  return habits.busiest(MOST_KEYS, now).map((rate) => ({ ...rate, level: queue.levelOf(rate.key), at: rate.everyMs }))
}

/** The jobs that come while a line is simulated once. */
export class Newcomers {
  readonly #keys: readonly Newcomer[]
  #count = 0

  /** The first job of each key comes after some part of the usual time. */
  constructor(keys: readonly Newcomer[], nextPart: () => number) {
    this.#keys = keys.map((key) => ({ ...key, at: key.at * nextPart() }))
  }

  /** The key of a job that will be there by then, and goes before a job whose key was charged this much. */
  take(by: Ms, charged: number): string | undefined {
    const next = this.#keys.find(({ at, level }) => at <= by && level < charged)
    if (next === undefined || this.#count === MOST_JOBS) return undefined
    this.#count += 1
    next.at += next.everyMs
    next.level += next.cost
    return next.key
  }
}
