// The jobs that wait for a slot.

import { PassingMap } from '@hearth/chat'
import type { RankedHeap } from '../../../time/ranked-heap.ts'
import type { Ask, Ms } from '../../terms/job.ts'
import type { Declined } from '../../terms/messages.ts'
import type { Budgets } from './budgets.ts'
import { countFeatures, fromMask, lacking, NO_FEATURES, toMask, type FeatureMask } from './feature-mask.ts'
import type { Forecasts } from './forecasts/forecasts.ts'
import type { Lanes } from './lanes.ts'
import type { Asked, Lane, Timed } from './state.ts'
import type { Decision, LessorLimits } from './types.ts'

export interface LineOptions {
  lanes: Lanes
  deadlines: RankedHeap<Timed>
  forecasts: Forecasts
  decisions: Decision[]
  budgets: Budgets
  limits: LessorLimits
}

export class Line {
  /** How many wait for a slot, of each key with at least one and in all. */
  readonly perKey = new Map<string, number>()
  total = 0
  readonly #options: LineOptions
  readonly #asks = new PassingMap<Asked>()

  constructor(options: LineOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#asks.size
  }

  get(job: string): Asked | undefined {
    return this.#asks.get(job)
  }

  all(): Iterable<Asked> {
    return this.#asks.values()
  }

  read(asker: string, ask: Ask, now: Ms): Asked {
    const { ticket, want, isFirst, ageMs, waitMs, begun, mustContinue, avoided, excluded } = ask
    const submittedAt = now - ageMs
    return {
      kind: 'ask',
      rank: 0,
      place: -1,
      order: submittedAt,
      asker,
      ticket,
      want,
      isFirst,
      features: toMask(ticket.features),
      sealedFor: ticket.sealedFor && new Set(ticket.sealedFor),
      lane: this.#options.lanes.open(ticket.model),
      submittedAt,
      waitUntil: now + waitMs,
      isShortened: false,
      patientUntil: submittedAt + this.#options.limits.patienceMs,
      isImpatient: false,
      begun,
      mustContinue,
      reservation: undefined,
      avoided: avoided && new Set(avoided),
      excluded: excluded && new Set(excluded),
      expectedMs: undefined,
    }
  }

  enter(asked: Asked): void {
    const { lane, ticket, want } = asked
    this.#asks.set(ticket.job, asked)
    this.#options.lanes.touch(lane)
    if (want !== 'slot') return void lane.seconds.add(asked)
    if (asked.begun !== undefined) asked.reservation = this.#options.budgets.reserve(ticket, lane)
    lane.queue.enter(asked)
    this.#count(ticket.key, 1)
    this.#options.deadlines.put(asked, nextDeadline(asked))
  }

  /** It got a slot, or needs none. Its key stays in the queue. */
  leave(asked: Asked): void {
    const { lane, ticket, want } = asked
    this.#asks.delete(ticket.job)
    if (want !== 'slot') return void lane.seconds.delete(asked)
    this.#release(asked)
    lane.queue.leave(asked)
    this.#count(ticket.key, -1)
    this.#options.deadlines.remove(asked)
  }

  #release(asked: Asked): void {
    const { reservation } = asked
    if (reservation === undefined) return
    asked.reservation = undefined
    if (this.#options.budgets.release(reservation)) this.#options.lanes.touchWaiting()
  }

  #count(key: string, change: 1 | -1): void {
    const left = (this.perKey.get(key) ?? 0) + change
    this.total += change
    if (left > 0) this.perKey.set(key, left)
    else this.perKey.delete(key)
  }

  remove(asked: Asked): void {
    this.leave(asked)
    const { lane, ticket, want } = asked
    if (want === 'slot') lane.queue.part(ticket.key)
    this.#options.lanes.tidy(lane)
  }

  timeIsUp(asked: Asked, now: Ms): void {
    if (now >= asked.waitUntil) return this.decline(asked, this.noDevice(asked, now))
    asked.isImpatient = true
    this.#options.deadlines.put(asked, asked.waitUntil)
    this.#options.lanes.touch(asked.lane)
  }

  decline(asked: Asked, outcome: Declined): void {
    this.remove(asked)
    this.reject(asked, outcome)
  }

  /** One that is not in line. */
  reject({ asker, ticket, lane }: Asked, outcome: Declined): void {
    this.#options.decisions.push({ type: 'decline', asker, job: ticket.job, outcome })
    this.#options.lanes.tidy(lane)
  }

  /** Its time is over. */
  noDevice({ lane }: Asked, now: Ms): Declined {
    return { kind: 'no-device', retryMs: this.#options.forecasts.untilHalfway(lane, undefined, now) }
  }

  /** Too many wait already, of the key or of the whole organization: an endless queue only hides that there are too few devices. */
  declineIfFull(asked: Asked, now: Ms): void {
    const { lane, ticket } = asked
    const { limits, forecasts } = this.#options
    const isKeyFull = (this.perKey.get(ticket.key) ?? 0) > limits.queuePerKey
    if (!isKeyFull && this.total <= limits.queuePerOrganization) return
    const scope = isKeyFull ? 'key' : 'organization'
    const retryMs = forecasts.untilHalfway(lane, isKeyFull ? ticket.key : undefined, now)
    this.decline(asked, { kind: 'queue-full', scope, retryMs })
  }

  /** Declines the jobs that need one of the features that changed, if the devices now serving can't do them. */
  declineUnsupported(lane: Lane, changed: FeatureMask): void {
    const outcomes = new Map<FeatureMask, Declined | undefined>()
    for (const asked of lane.queue.waiting()) {
      if ((asked.features & changed) === 0) continue
      const isKnown = asked.sealedFor === undefined && outcomes.has(asked.features)
      const outcome = isKnown ? outcomes.get(asked.features) : findUnsupported(asked)
      if (asked.sealedFor === undefined) outcomes.set(asked.features, outcome)
      if (outcome !== undefined) this.decline(asked, outcome)
    }
  }
}

/** The end of its patience, then the end of its time. */
function nextDeadline({ isImpatient, patientUntil, waitUntil }: Asked): Ms {
  return isImpatient ? waitUntil : Math.min(patientUntil, waitUntil)
}

/**
 * What the closest device lacks; undefined if a device of the lane has all features of the job, or if there is no device at all. Of a sealed
 * job, only the devices count that it was sealed for.
 */
export function findUnsupported({ lane, features, sealedFor }: Asked): Declined | undefined {
  if (features === NO_FEATURES && sealedFor === undefined) return undefined
  let fewest: FeatureMask | undefined
  for (const served of lane.served) {
    if (served.device.isDraining || sealedFor?.has(served.device.id) === false) continue
    const missing = lacking(features, served.features)
    if (missing === NO_FEATURES) return undefined
    if (fewest === undefined || countFeatures(missing) < countFeatures(fewest)) fewest = missing
  }
  return fewest === undefined ? undefined : { kind: 'unsupported', missing: fromMask(fewest) }
}
