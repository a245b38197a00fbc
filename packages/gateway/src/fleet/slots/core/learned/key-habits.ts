// A key's usual requests: how long their answers are, and how often they come. A program that asks for one word gets short
// answers, and one that writes reports gets long ones. Until a key has had a few answers, it counts as an ordinary one.

import { forgetOldest } from '../../../../forget-oldest.ts'
import type { Ms, Ticket } from '../../../terms/job.ts'

/** Each answer weighs this much less than the next one, so that about the last hundred count. */
const KEPT = 0.99
/** Every key starts with this many ordinary answers: a few answers say little about the next one. */
const ASSUMED = 3
/** Requests count for this long, with decreasing weight. */
const RATE_MS = 60_000
/** Per model: any number of keys may come and go. */
export const REMEMBERED_KEYS = 1_000

interface Mean {
  weight: number
  /** Of the logarithms of lengths: one very long answer must not count like a hundred. */
  logs: number
}

interface Habit extends Mean {
  /** Expected tokens of its requests, prompts included. */
  costs: number
  /** Requests of about the last `RATE_MS`, as of `at`. */
  recent: number
  at: Ms
}

export interface Rate {
  key: string
  everyMs: Ms
  /** Expected tokens of one request. */
  cost: number
}

export class KeyHabits {
  readonly #habits = new Map<string, Habit>()
  readonly #ordinary: Mean = { weight: 0, logs: 0 }

  /** An answer with this many tokens has ended. */
  add({ key, cost }: Pick<Ticket, 'key' | 'cost'>, tokens: number, now: Ms): void {
    const log = Math.log(tokens + 1)
    const habit = this.#habits.get(key) ?? this.#remember(key, now)
    count(this.#ordinary, log)
    count(habit, log)
    habit.costs = habit.costs * KEPT + cost
    habit.recent = recentOf(habit, now) + 1
    habit.at = now
  }

  /** The usual length of the key's answers. */
  usualTokens(key: string): number {
    const { weight, logs } = this.#ordinary
    if (weight === 0) return 1
    const own = this.#habits.get(key)
    const ordinary = logs / weight
    return Math.exp(own === undefined ? ordinary : (own.logs + ASSUMED * ordinary) / (own.weight + ASSUMED))
  }

  /** Keys that have asked most often lately. */
  busiest(most: number, now: Ms): Rate[] {
    return [...this.#habits]
      .map(([key, habit]) => ({
        key,
        everyMs: RATE_MS / recentOf(habit, now),
        cost: habit.costs / habit.weight,
      }))
      .toSorted((one, other) => one.everyMs - other.everyMs)
      .slice(0, most)
  }

  #remember(key: string, now: Ms): Habit {
    const habit = { weight: 0, logs: 0, costs: 0, recent: 0, at: now }
    forgetOldest(this.#habits, REMEMBERED_KEYS - 1)
    this.#habits.set(key, habit)
    return habit
  }
}

function recentOf({ recent, at }: Habit, now: Ms): number {
  return recent * Math.exp((at - now) / RATE_MS)
}

function count(mean: Mean, log: number): void {
  mean.weight = mean.weight * KEPT + 1
  mean.logs = mean.logs * KEPT + log
}
