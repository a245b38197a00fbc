// Compares forecasts with what happens in a random world, where devices freeze, crash, refuse and leave.

import { SchedulerCore } from '../../scheduler/core/scheduler-core.ts'
import type { Ms, Reporter, Ticket, Verdict } from '../../scheduler/core/types.ts'
import { summarize, type Errors, type Guess } from './measure-forecasts.ts'
import { simulate } from './simulate.ts'

export function watchForecasts(seeds: readonly number[], steps: number): Errors {
  const guesses: Guess[] = []
  for (const seed of seeds) simulate({ seed, steps, createCore: (limits) => new WatchedCore(limits, guesses) })
  return summarize(guesses)
}

class WatchedCore extends SchedulerCore {
  readonly #open = new Map<string, Guess>()
  readonly #guesses: Guess[]

  constructor(limits: ConstructorParameters<typeof SchedulerCore>[0], guesses: Guess[]) {
    super(limits)
    this.#guesses = guesses
  }

  override submit(ticket: Ticket, now: Ms, requestBytes?: number): void {
    super.submit(ticket, now, requestBytes)
    const forecast = this.forecast(ticket.job, now)
    if (forecast === undefined) return
    const kind = forecast.place === undefined ? 'started' : 'queued'
    this.#open.set(ticket.job, { kind, at: now, expectedMs: forecast.firstEventMs, actualMs: 0 })
  }

  override receive(from: Reporter, sequence: number, tokens: number, now: Ms, isShown?: boolean): Verdict {
    const verdict = super.receive(from, sequence, tokens, now, isShown)
    const guess = this.#open.get(from.job)
    if (verdict === 'drop' || guess === undefined) return verdict
    this.#open.delete(from.job)
    this.#guesses.push({ ...guess, actualMs: now - guess.at })
    return verdict
  }
}
