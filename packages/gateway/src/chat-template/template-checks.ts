// Checks templates for all organizations, a few at once: each check takes a thread, and a template may use it up for seconds.
// Organizations take turns, so that one that sends many keeps only itself waiting.

import { ApiError } from '@hearth/chat'
import { AtOnce } from '../at-once.ts'
import { Turns } from '../turns.ts'
import { checkTemplate } from './check-template.ts'

export const CHECKS_AT_ONCE = 2
/** Checks of one organization that wait or run. */
export const MOST_PER_ORGANIZATION = 4
/** Checks of all organizations that wait: at most minutes of work. */
export const MOST_CHECKS_WAITING = 64

type Check = (source: string) => Promise<string | undefined>

export class TemplateChecks {
  readonly #check: Check
  readonly #waiting = new Turns<() => void>()
  readonly #open = new AtOnce()
  #running = 0

  constructor(check: Check = checkTemplate) {
    this.#check = check
  }

  /** Says what is wrong with the template; undefined if nothing is. Rejects with a 429 if too many wait. */
  async check(organization: string, source: string): Promise<string | undefined> {
    const leave = this.#open.enter(organization, MOST_PER_ORGANIZATION)
    if (leave === undefined) throw tooMany('Your organization is checking several chat templates already.')
    try {
      await this.#turn(organization)
      return await this.#check(source).finally(() => this.#leave())
    } finally {
      leave()
    }
  }

  #turn(organization: string): Promise<void> {
    if (this.#running < CHECKS_AT_ONCE) {
      this.#running++
      return Promise.resolve()
    }
    if (this.#waiting.size >= MOST_CHECKS_WAITING) throw tooMany('The gateway is checking many chat templates.')
    return new Promise((resolve) => this.#waiting.add(organization, resolve))
  }

  /** The thread goes to whoever is next. */
  #leave(): void {
    const begin = this.#waiting.next()
    if (begin === undefined) this.#running--
    else begin()
  }
}

function tooMany(why: string): ApiError {
  return new ApiError('rate_limit_exceeded', `${why} Try again in a few seconds.`, null, { 'retry-after': '5' })
}
