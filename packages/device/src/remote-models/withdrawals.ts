// Models that are about to be removed: they take no more jobs, and go when the running ones are done.

import type { ChangingEngine } from '../engines/engine.ts'
import type { Clock } from '../clock.ts'

/** The models that take jobs, and news of them. */
export type OfferedModels = Pick<ChangingEngine, 'models' | 'onChange'>

export interface Withdrawn {
  model: string
  /** Called once: when no job runs on the model, or its time is up. */
  remove: () => void
}

/** The models of the device, without those that are withdrawn. */
export class Withdrawals implements OfferedModels {
  readonly #offer: OfferedModels
  readonly #clock: Clock
  readonly #limitMs: number
  readonly #pending = new Map<string, { remove: () => void; cancelAlarm: () => void }>()
  readonly #listeners = new Set<() => void>()

  constructor(offer: OfferedModels, clock: Clock, limitMs: number) {
    this.#offer = offer
    this.#clock = clock
    this.#limitMs = limitMs
    offer.onChange(() => this.#changed())
  }

  models(): ReturnType<OfferedModels['models']> {
    return this.#offer.models().filter(({ name }) => !this.#pending.has(name))
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  withdraw({ model, remove }: Withdrawn, isIdle: boolean): void {
    if (this.#pending.has(model)) return
    const cancelAlarm = this.#clock.after(this.#limitMs, () => this.#finish(model))
    this.#pending.set(model, { remove, cancelAlarm })
    this.#changed()
    if (isIdle) this.#finish(model)
  }

  jobsChanged(isIdle: (model: string) => boolean): void {
    for (const model of this.#pending.keys()) if (isIdle(model)) this.#finish(model)
  }

  stop(): void {
    for (const { cancelAlarm } of this.#pending.values()) cancelAlarm()
    this.#pending.clear()
  }

  /** The model stays withdrawn until the registry no longer has it. */
  #finish(model: string): void {
    const pending = this.#pending.get(model)
    if (pending === undefined) return
    pending.cancelAlarm()
    pending.remove()
    this.#pending.delete(model)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
