// The monthly budgets of a simulated service, and what was used of them. A lone gateway's month is so short that budgets are used up and start
// again all the time. Several have budgets that nothing uses up: there, only what is reserved matters.

import type { Budget } from '../../../store/revisions/access-rows.ts'
import { totalTokens, type JobRecord } from '../../jobs/job-record.ts'
import type { KnownBudgets } from '../../scheduler/core/budgets.ts'

const MONTH_MS = 10_000
const OF_KEY = 20_000
const OF_ORGANIZATION = 60_000
const ENDLESS = 1e12

export class Month implements KnownBudgets {
  readonly #clock: { readonly now: number }
  readonly #isEndless: boolean
  #month = 0
  readonly #used = new Map<string, number>()
  readonly #budgets = new Map<string, readonly Budget[]>()
  /** What was added at this moment. */
  readonly #added = new Map<string, number>()
  #addedAt = 0

  constructor(clock: { readonly now: number }, isEndless: boolean) {
    this.#clock = clock
    this.#isEndless = isEndless
  }

  /** A key belongs to the first organization that used it. */
  add({ ticket, tokens }: JobRecord): void {
    this.#turn()
    if (this.#addedAt !== this.#clock.now) this.#added.clear()
    this.#addedAt = this.#clock.now
    const total = totalTokens(tokens)
    for (const budget of this.of(ticket.key)) {
      this.#used.set(budget.id, this.used(budget) + total)
      this.#added.set(budget.id, (this.#added.get(budget.id) ?? 0) + total)
    }
  }

  readonly of = (key: string): readonly Budget[] => {
    const known = this.#budgets.get(key) ?? budgetsOf(key, this.#isEndless)
    this.#budgets.set(key, known)
    return known
  }

  readonly used = ({ id }: Budget): number => {
    this.#turn()
    return this.#used.get(id) ?? 0
  }

  readonly renewsAt = (): number => (this.#month + 1) * MONTH_MS

  /** One of the key's budgets is used up. */
  isOver(key: string): boolean {
    return this.of(key).some((budget) => this.used(budget) >= budget.tokensPerMonth)
  }

  /** One of them was, before this moment: a slot that was leased in it may be taken after another job has ended in it. */
  wasOver(key: string): boolean {
    const added = ({ id }: Budget) => (this.#addedAt === this.#clock.now ? (this.#added.get(id) ?? 0) : 0)
    return this.of(key).some((budget) => this.used(budget) - added(budget) >= budget.tokensPerMonth)
  }

  #turn(): void {
    const month = Math.floor(this.#clock.now / MONTH_MS)
    if (month !== this.#month) this.#used.clear()
    this.#month = month
  }
}

/** Every other key has one, and of a lone gateway's organizations `west`. */
function budgetsOf(key: string, isEndless: boolean): Budget[] {
  const [organization = ''] = key.split('-key')
  const budgets: Budget[] = []
  if (/[13]$/.test(key))
    budgets.push({ holder: 'key', organization, id: key, tokensPerMonth: isEndless ? ENDLESS : OF_KEY })
  if (organization === 'west')
    budgets.push({ holder: 'organization', organization, id: organization, tokensPerMonth: OF_ORGANIZATION })
  return budgets
}
