// The monthly budgets of an organization where its slots are leased, which only one gateway does: what was used, and what the jobs that have a
// slot are expected to use. A job gets a slot while both together are less than each of its budgets. So what runs at a time is bounded by what
// is left, and even if every answer is longer than expected, a budget is exceeded by what the slots held at that moment, and not by what waited.

import { estimateTokens } from '@hearth/chat'
import type { Budget } from '../../../store/revisions/access-rows.ts'
import type { Ticket } from '../../terms/job.ts'
import type { Declined } from '../../terms/messages.ts'
import type { AnswerLengths } from './learned/answer-lengths.ts'
import type { KeyHabits } from './learned/key-habits.ts'

/** What the rest of the gateway knows of budgets. */
export interface KnownBudgets {
  /** Undefined if the key has none. */
  of: (key: string) => readonly Budget[] | undefined
  /** Tokens of this month, over all gateways. */
  used: (budget: Budget) => number
  /** When the month is over, in milliseconds since 1970. */
  renewsAt: () => number
}

export const NO_BUDGETS: KnownBudgets = { of: () => undefined, used: () => 0, renewsAt: () => 0 }

/** Tokens that a job is expected to use. */
export interface Reservation {
  readonly holders: readonly string[]
  tokens: number
}

interface Asking {
  ticket: Ticket
  /** A part of the reply is there. */
  begun: unknown
}

/** What is known of the answers of a model. */
interface Learned {
  answers: AnswerLengths
  habits: KeyHabits
}

export class Budgets {
  readonly #known: KnownBudgets
  /** Of each holder with at least one. */
  readonly #reserved = new Map<string, number>()
  /** Some job could not start because of what is reserved, since something was released. */
  #isAwaited = false

  constructor(known: KnownBudgets) {
    this.#known = known
  }

  /** All tokens that are reserved, once for each budget that they count for. */
  get reserved(): number {
    let sum = 0
    for (const tokens of this.#reserved.values()) sum += tokens
    return sum
  }

  /** What is left of a budget may be used up by jobs that run: the job waits until it is known. */
  mustWait({ ticket, begun }: Asking): boolean {
    const budgets = this.#known.of(ticket.key)
    if (budgets === undefined || begun !== undefined) return false
    let isTaken = false
    for (const one of budgets) {
      const left = one.tokensPerMonth - this.#known.used(one)
      if (left <= 0) return false
      isTaken ||= left <= (this.#reserved.get(nameOf(one)) ?? 0)
    }
    this.#isAwaited ||= isTaken
    return isTaken
  }

  /** A budget of the job is used up, so it ends. A reply of which a part is there continues. */
  usedUp({ ticket, begun }: Asking): Declined | undefined {
    const budgets = this.#known.of(ticket.key)
    const used = budgets === undefined || begun !== undefined ? undefined : this.#findUsed(budgets)
    if (used === undefined) return undefined
    return {
      kind: 'budget-used',
      holder: used.holder,
      tokensPerMonth: used.tokensPerMonth,
      renewsAt: this.#known.renewsAt(),
    }
  }

  #findUsed(budgets: readonly Budget[]): Budget | undefined {
    return budgets.find((one) => this.#known.used(one) >= one.tokensPerMonth)
  }

  /** Undefined if the key has no budget. Whoever gets one releases it once. */
  reserve(ticket: Ticket, learned: Learned): Reservation | undefined {
    const budgets = this.#known.of(ticket.key)
    if (budgets === undefined) return undefined
    const reservation = { holders: budgets.map(nameOf), tokens: expectedTokens(ticket, learned) }
    this.#add(reservation, reservation.tokens)
    return reservation
  }

  /** The slot is free before anybody has said what the job used: it may be this much. */
  raise(reservation: Reservation, most: number): void {
    const more = Math.max(0, most - reservation.tokens)
    reservation.tokens += more
    this.#add(reservation, more)
  }

  /** Returns whether a job may have waited for it. */
  release(reservation: Reservation): boolean {
    this.#add(reservation, -reservation.tokens)
    const wasAwaited = this.#isAwaited
    this.#isAwaited = false
    return wasAwaited
  }

  #add({ holders }: Reservation, tokens: number): void {
    for (const holder of holders) {
      const left = (this.#reserved.get(holder) ?? 0) + tokens
      if (left > 0) this.#reserved.set(holder, left)
      else this.#reserved.delete(holder)
    }
  }
}

/** Of the prompt, and of the answer as it usually is for the key. */
function expectedTokens(
  { key, cost, promptSize, answerLimit = Infinity }: Ticket,
  { answers, habits }: Learned,
): number {
  if (answers.isEmpty) return Math.ceil(cost)
  return Math.ceil(estimateTokens(promptSize) + Math.min(answerLimit, habits.usualTokens(key)))
}

/** Within their organization. */
function nameOf({ holder, id }: Budget): string {
  return `${holder} ${id}`
}
