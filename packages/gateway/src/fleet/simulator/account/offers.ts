// What devices of several gateways notice of offers: none starts twice, none that the device can't open, and none that nobody counts.

import type { JobAttempt } from '@hearth/protocol'
import type { JobRecord } from '../../jobs/job-record.ts'
import type { Roles } from '../../roles.ts'
import { change } from '../change.ts'
import type { Sort } from '../service/sorts.ts'
import { demand } from '../violation.ts'

export class Offers {
  readonly #sort: Sort
  readonly #started = new Set<string>()
  /** Of each job: offers that the link of a device got, and those that its record counts. */
  readonly #offers = new Map<string, { sent: number; counted: number | undefined }>()
  /** Offers that found the link gone. */
  readonly #unsent = new Set<string>()

  constructor(sort: Sort) {
    this.#sort = sort
  }

  /** Where only links of devices are cut, it is known which offers reached one. */
  watch({ hub }: Roles): void {
    if (this.#sort !== 'only-devices') return
    change(hub, 'start', (begin) => (start, request, front) => {
      const { job, device, epoch } = start
      if (hub.links.find(device, epoch) === undefined) this.#foundGone(`${job} on ${device}, link ${epoch}`)
      else this.#of(job).sent += 1
      begin(start, request, front)
    })
  }

  started({ job, attempt }: JobAttempt, what: string, isOpenable: boolean): void {
    const key = `${job} ${attempt}`
    demand(!this.#started.has(key), () => `${what} starts twice`)
    demand(isOpenable, () => `${what} starts on a device that it was not sealed for`)
    demand(
      this.#sort !== 'orderly' || !this.#started.has(job),
      () => `${what} starts, although nothing happened to the one before`,
    )
    this.#started.add(key).add(job)
  }

  recorded({ outcome, ticket, attempts }: JobRecord): void {
    // An offer may still be on its way when its client leaves.
    if (outcome.kind === 'cancelled') this.#offers.delete(ticket.job)
    else this.#of(ticket.job).counted = attempts
  }

  check(): void {
    if (this.#sort !== 'only-devices') return
    for (const [job, { sent, counted }] of this.#offers)
      demand(
        counted === undefined || sent === counted,
        () => `${job} was offered ${sent} times, and ${counted} are counted`,
      )
  }

  #of(job: string): { sent: number; counted: number | undefined } {
    const known = this.#offers.get(job) ?? { sent: 0, counted: undefined }
    this.#offers.set(job, known)
    return known
  }

  #foundGone(offer: string): void {
    demand(!this.#unsent.has(offer), () => `${offer} starts although its gateway knows that the link is gone`)
    this.#unsent.add(offer)
  }
}
