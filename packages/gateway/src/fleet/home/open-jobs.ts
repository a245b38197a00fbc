// The jobs that a device was sent and has not ended. There are few at a time and every job changes them, so a list is cheaper than a map.

import type { JobAttempt } from '@hearth/protocol'

export class OpenJobs {
  readonly #jobs: JobAttempt[] = []
  /** Where the last search ended. Devices report on their jobs in turn, or several times on the same one. */
  #place = 0

  get isEmpty(): boolean {
    return this.#jobs.length === 0
  }

  add({ job, attempt }: JobAttempt): void {
    this.#jobs.push({ job, attempt })
  }

  /** Does nothing if the device never had it, or has ended it before. */
  remove({ job, attempt }: JobAttempt): void {
    const place = this.#find(job, attempt)
    if (place === -1) return
    const last = this.#jobs.pop()!
    if (place < this.#jobs.length) this.#jobs[place] = last
  }

  /**
   * The same id, as the scheduler knows it. Node keeps a table of all texts that are looked up in maps: an id that was just read from a
   * message has to be found there first, and that takes longer than everything else the scheduler does for a token.
   */
  knownId({ job, attempt }: JobAttempt): string {
    const place = this.#find(job, attempt)
    return place === -1 ? job : this.#jobs[place]!.job
  }

  #find(job: string, attempt: number): number {
    const jobs = this.#jobs
    let place = this.#place < jobs.length ? this.#place : 0
    for (let passed = 0; passed < jobs.length; passed++) {
      const open = jobs[place]!
      if (open.job === job && open.attempt === attempt) return (this.#place = place)
      place = place + 1 < jobs.length ? place + 1 : 0
    }
    return -1
  }
}
