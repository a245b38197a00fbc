// When each model last got a job, so that the owner can see which ones take up space for nothing.

import { isFields } from '@hearth/command-line/files/fields'
import { readJson, writeJson } from '@hearth/command-line/files/write-atomic'

/** Jobs come many times a second; the file only has to be right to the minute. */
const WRITE_MS = 60_000

export class LastUses {
  readonly #path: string
  readonly #now: () => Date
  readonly #uses: Map<string, Date>

  constructor(path: string, now: () => Date) {
    this.#path = path
    this.#now = now
    this.#uses = readLastUses(path)
  }

  note(model: string): void {
    const now = this.#now()
    const before = this.#uses.get(model)
    if (before !== undefined && Math.abs(now.getTime() - before.getTime()) < WRITE_MS) return
    this.#uses.set(model, now)
    this.#write()
  }

  /** A full disk must not fail a job. */
  #write(): void {
    try {
      writeJson(this.#path, Object.fromEntries(this.#uses), { mode: 0o600, isDurable: false })
    } catch {
      return
    }
  }
}

/** By the name of the model. Empty if the file is missing or damaged. */
export function readLastUses(path: string): Map<string, Date> {
  try {
    const value = readJson(path)
    const entries = Object.entries(isFields(value) ? value : {})
    return new Map(
      entries
        .map(([model, date]): [string, Date] => [model, new Date(String(date))])
        .filter(([, date]) => !Number.isNaN(date.getTime())),
    )
  } catch {
    return new Map()
  }
}
