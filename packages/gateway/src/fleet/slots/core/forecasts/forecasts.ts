// Forecasts for single jobs. Nothing is computed unless someone asks; those who ask at the same time share one forecast of the line.

import { hasDelivered, heldState, type Job, type Lane } from '../state/state.ts'
import type { Forecast } from '../types.ts'
import type { Ms } from '../../../terms/job.ts'
import { forecastLine } from './forecast-line.ts'
import { firstEventLeft } from './held-time.ts'

interface Line {
  at: Ms
  jobs: ReadonlyMap<Job, Forecast>
  /** Of each key that asked, and of all together. */
  halfway: Map<string | undefined, Ms | undefined>
}

/** At most one sample in this time, so that many requests cost hardly more than one. */
const SAMPLE_MS = 100
/** A forecast holds this long for everybody who asks: a place in line changes more slowly than that. */
const FRESH_MS = 200
/** Rejected requests learn when to come back in whole seconds, and there may be thousands of them. */
const RETRY_FRESH_MS = 1_000

export class Forecasts {
  readonly #sampleMs: Ms
  #sampledAt = Number.NEGATIVE_INFINITY
  /** The latest of each lane. */
  readonly #lines = new WeakMap<Lane, Line>()

  /** `sampleMs` is the least time between two samples of a lane. */
  constructor(sampleMs: Ms) {
    this.#sampleMs = sampleMs
  }

  /** Undefined for a job that has sent something or is over. */
  of(job: Job, now: Ms): Forecast | undefined {
    if (job.state.name === 'waiting') return this.#line(job, now).get(job)
    const held = heldState(job)
    if (held === undefined || hasDelivered(held)) return undefined
    return { place: undefined, firstEventMs: firstEventLeft(held.lease, now) }
  }

  /** Compares a forecast now and then with what happens. */
  sample(job: Job, now: Ms): void {
    const { lane } = job
    if (now < this.#sampledAt + SAMPLE_MS || now < lane.sampledAt + this.#sampleMs) return
    lane.sampledAt = this.#sampledAt = now
    job.forecast = this.of(job, now)
  }

  /** When the job in the middle of the line gets its first event, of those that wait for a key or of all. */
  untilHalfway(lane: Lane, key: string | undefined, now: Ms): Ms | undefined {
    const known = this.#lines.get(lane)
    const line = known !== undefined && now < known.at + RETRY_FRESH_MS ? known : this.#compute(lane, now)
    // A full queue rejects many requests at once: only the first one pays for the forecast.
    if (!line.halfway.has(key)) line.halfway.set(key, halfwayOf(line, key))
    return line.halfway.get(key)
  }

  #line(job: Job, now: Ms): ReadonlyMap<Job, Forecast> {
    const known = this.#lines.get(job.lane)
    const isFresh = known !== undefined && now < known.at + FRESH_MS && known.jobs.has(job)
    return isFresh ? known.jobs : this.#compute(job.lane, now).jobs
  }

  #compute(lane: Lane, now: Ms): Line {
    const line = { at: now, jobs: forecastLine(lane, now), halfway: new Map<string | undefined, Ms | undefined>() }
    this.#lines.set(lane, line)
    return line
  }
}

function halfwayOf({ jobs }: Line, key: string | undefined): Ms | undefined {
  const line = [...jobs].filter(([job]) => key === undefined || job.ticket.key === key)
  return line[line.length >> 1]?.[1].firstEventMs
}
