// The slots of devices: who holds them, and when a device gets no offers. A slot whose attempt was given up stays taken until the device
// is done with it, so that no device ever works on more jobs than it has slots.

import { backOff, endBackoff, trustAgain } from './backoff.ts'
import { reportedFile } from '../choice/continuation.ts'
import type { Lanes } from '../lanes.ts'
import { updateOpen } from './open-devices.ts'
import { learnSpeed } from '../state/prompt-speed.ts'
import type { RankedHeap } from '../ranked-heap.ts'
import type { Job, Lease, Running, ServedModel, Timed } from '../state/state.ts'
import type { Ms } from '../../../terms/job.ts'

type Known = Pick<Lease, 'attempt' | 'takenAt' | 'answerBy' | 'file'>

export class Slots {
  readonly #lanes: Lanes
  readonly #deadlines: RankedHeap<Timed>
  #taken = 0

  constructor(lanes: Lanes, deadlines: RankedHeap<Timed>) {
    this.#lanes = lanes
    this.#deadlines = deadlines
  }

  /** The device is late after `lateAt`, and has until `answerBy` to accept or refuse. */
  take(job: Job, served: ServedModel, now: Ms, lateAt: Ms, answerBy: Ms): Lease {
    return this.#hold(
      newLease(job, served, { attempt: job.attempt, takenAt: now, answerBy, file: reportedFile(job, served) }),
      lateAt,
    )
  }

  /** The device already has the attempt, and reports the tokens of this file. */
  retake(job: Job, served: ServedModel, lateAt: Ms, known: Known): Lease {
    return this.#hold(newLease(job, served, known), lateAt)
  }

  #hold(lease: Lease, lateAt: Ms): Lease {
    const { served, answerBy } = lease
    served.lastGrant = this.#taken += 1
    served.leased += 1
    updateOpen(served)
    served.device.leases.push(lease)
    this.#deadlines.put(lease, Math.min(lateAt, answerBy))
    return lease
  }

  /** The attempt is given up while the device may still work on it. */
  giveUp(lease: Lease, confirmBy: Ms): void {
    lease.state = 'stopping'
    lease.job.givenUp.push(lease)
    this.#deadlines.put(lease, confirmBy)
  }

  /** The device did not answer. The slot is not used again until the device reports that it is free, or its link is lost. */
  suspect(lease: Lease): void {
    lease.state = 'suspect'
    lease.served.suspect += 1
    this.#deadlines.remove(lease)
    this.#lanes.touch(lease.served.lane)
  }

  release(lease: Lease): void {
    const { job, served, state } = lease
    if (state === 'released') throw new Error(`Cannot release a slot of device ${lease.device} twice`)
    if (state !== 'held') job.givenUp.splice(job.givenUp.indexOf(lease), 1)
    if (state === 'suspect') served.suspect -= 1
    lease.state = 'released'
    served.leased -= 1
    if (served.leased === 0) served.loadingSince = undefined
    updateOpen(served)
    removeItem(served.device.leases, lease)
    this.#deadlines.remove(lease)
    this.#lanes.touch(served.lane)
  }

  /** The device refused: it gets no offers for a while. */
  backOff(served: ServedModel, now: Ms): void {
    backOff(served)
    this.#deadlines.put(served, now + served.backoffMs)
  }

  /** The backoff is over. The next one will be longer, unless the device accepts a job before. */
  approach(served: ServedModel): void {
    endBackoff(served)
    this.#lanes.touch(served.lane)
  }

  /** The device accepted or ended a job: its refusals are forgotten. */
  trust(served: ServedModel): void {
    if (served.backoffMs === 0) return
    trustAgain(served)
    this.#deadlines.remove(served)
    this.#lanes.touch(served.lane)
  }

  /** The device has read the prompt: now its speed is known, and it holds the conversation. */
  learn({ lease, acceptedAt, hasLoaded }: Running, now: Ms): void {
    const { served, job, uncached, takenAt } = lease
    served.pace.hasRead(uncached, now - (hasLoaded ? acceptedAt : takenAt))
    served.msPerCharacter = learnSpeed(served.msPerCharacter, uncached, now - acceptedAt)
    if (served.slots > 0) served.lane.memory.remember(served, job.ticket.prefixes)
  }

  /** The device lost its link. */
  forget(served: ServedModel): void {
    this.#deadlines.remove(served)
    this.#lanes.touch(served.lane)
  }
}

/** Fills the gap with the last one. */
function removeItem<Item>(items: Item[], item: Item): void {
  const last = items.pop()!
  if (last !== item) items[items.indexOf(item)] = last
}

function newLease(job: Job, served: ServedModel, { attempt, takenAt, answerBy, file }: Known): Lease {
  const cached = served.lane.memory.heldSize(served, job.ticket.prefixes)
  return {
    kind: 'lease',
    rank: 0,
    place: -1,
    job,
    attempt,
    served,
    device: served.device.id,
    epoch: served.device.epoch,
    file,
    uncached: Math.max(0, job.ticket.promptSize - cached),
    takenAt,
    answerBy,
    isLate: false,
    state: 'held',
  }
}
