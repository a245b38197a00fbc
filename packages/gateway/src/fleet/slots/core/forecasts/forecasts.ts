// Forecasts for single jobs. Nothing is computed unless someone asks; those who ask at the same time share one forecast of the line.

import type { Ms } from '../../../terms/job.ts'
import type { Asked, Lane } from '../state.ts'
import type { Forecast } from '../types.ts'
import { forecastLine } from './forecast-line.ts'

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
    const { jobs } = this.#lineOf(asked.lane, FRESH_MS, now, asked)
    return jobs.get(asked) ?? { place: undefined, firstEventMs: undefined }
  }

  /** Whether to compare a forecast with what happens: now and then. */
  sample(lane: Lane, now: Ms): boolean {
    if (now < this.#sampledAt + SAMPLE_MS || now < lane.sampledAt + this.#sampleMs) return false
    lane.sampledAt = this.#sampledAt = now
    return true
  }

  /** When the job in the middle of the line gets its first event, of those that wait for a key or of all. */
  untilHalfway(lane: Lane, key: string | undefined, now: Ms): Ms | undefined {
    // A full queue rejects thousands of requests, which learn in whole seconds when to come back: one of them pays for all until the next sample.
    const line = this.#lineOf(lane, this.#sampleMs, now)
    if (!line.halfway.has(key)) line.halfway.set(key, halfwayOf(line, key))
    return line.halfway.get(key)
  }

  /** One that is not older than that, and has this job. */
  #lineOf(lane: Lane, mostMs: Ms, now: Ms, job?: Asked): Line {
    const known = this.#lines.get(lane)
    if (known !== undefined && now < known.at + mostMs && (job === undefined || known.jobs.has(job))) return known
    const line = { at: now, jobs: forecastLine(lane, now), halfway: new Map<string | undefined, Ms | undefined>() }
    this.#lines.set(lane, line)
    return line
  }
}

function halfwayOf({ jobs }: Line, key: string | undefined): Ms | undefined {
  const line = [...jobs].filter(([job]) => key === undefined || job.ticket.key === key)
  return line[line.length >> 1]?.[1].firstEventMs
}
