// When each model last got a job, so that the owner can see which ones take up space for nothing.

import { keepNotes, recallNotes } from '@hearth/command-line/files/notes'

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
    keepNotes(this.#path, Object.fromEntries(this.#uses))
  }
}

/** By the name of the model. Empty if the file is missing or damaged. */
export function readLastUses(path: string): Map<string, Date> {
  return new Map(
    Object.entries(recallNotes(path))
      .map(([model, date]): [string, Date] => [model, new Date(String(date))])
      .filter(([, date]) => !Number.isNaN(date.getTime())),
  )
}
