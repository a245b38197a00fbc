// Forecasts for single jobs. Nothing is computed unless someone asks; those who ask at the same time share one forecast of the line.

import type { Ms } from '../../../terms/job.ts'
import type { Asked, Held, Lane } from '../state.ts'
import type { Forecast } from '../types.ts'
import { forecastLine } from './forecast-line.ts'
import { firstEventLeft } from './held-time.ts'

interface Line {
  at: Ms
  jobs: ReadonlyMap<Asked, Forecast>
  /** Of each key that asked, and of all together. */
  halfway: Map<string | undefined, Ms | undefined>
}

/** At most one sample in this time, so that many requests cost hardly more than one. */
const SAMPLE_MS = 100
/** A forecast holds this long for everybody who asks: a place in line changes more slowly than that. */
const FRESH_MS = 200

export class Forecasts {
  readonly #sampleMs: Ms
  #sampledAt = Number.NEGATIVE_INFINITY
  /** The latest of each lane. */
  readonly #lines = new WeakMap<Lane, Line>()

  /** `sampleMs` is the least time between two samples of a lane. */
  constructor(sampleMs: Ms) {
    this.#sampleMs = sampleMs
  }

  ofAsked(asked: Asked, now: Ms): Forecast {
    return this.#line(asked, now).get(asked) ?? { place: undefined, firstEventMs: undefined }
  }

  ofHeld(held: Held, now: Ms): Forecast {
    return { place: undefined, firstEventMs: firstEventLeft(held, now) }
  }

  /** Whether to compare a forecast with what happens: now and then. */
  sample(lane: Lane, now: Ms): boolean {
    if (now < this.#sampledAt + SAMPLE_MS || now < lane.sampledAt + this.#sampleMs) return false
    lane.sampledAt = this.#sampledAt = now
    return true
  }

  /** When the job in the middle of the line gets its first event, of those that wait for a key or of all. */
  untilHalfway(lane: Lane, key: string | undefined, now: Ms): Ms | undefined {
    const known = this.#lines.get(lane)
    // A full queue rejects thousands of requests, which learn in whole seconds when to come back: one of them pays for all until the next sample.
    const line = known !== undefined && now < known.at + this.#sampleMs ? known : this.#compute(lane, now)
    if (!line.halfway.has(key)) line.halfway.set(key, halfwayOf(line, key))
    return line.halfway.get(key)
  }

  #line(job: Asked, now: Ms): ReadonlyMap<Asked, Forecast> {
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
