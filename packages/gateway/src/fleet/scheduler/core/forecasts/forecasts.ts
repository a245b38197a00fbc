// Forecasts for single jobs. Nothing is computed unless someone asks; those who ask at the same time share one forecast of the forecast.

import type { Ms } from '../../../terms/job.ts'
import type { QueuedJob, ModelQueue } from '../state.ts'
import type { Forecast } from '../types.ts'
import { forecastQueue } from './forecast-queue.ts'

interface QueueForecast {
  at: Ms
  jobs: ReadonlyMap<QueuedJob, Forecast>
  /** Of each key that asked, and of all together. */
  halfway: Map<string | undefined, Ms | undefined>
}

/** At most one sample in this time, so that many requests cost hardly more than one. */
const SAMPLE_MS = 100
/** A forecast holds this long for everybody who asks: a place in the queue changes more slowly than that. */
const FRESH_MS = 200

export class Forecasts {
  readonly #sampleMs: Ms
  #sampledAt = Number.NEGATIVE_INFINITY
  /** The latest of each queue. */
  readonly #forecasts = new WeakMap<ModelQueue, QueueForecast>()

  /** `sampleMs` is the least time between two samples of a queue. */
  constructor(sampleMs: Ms) {
    this.#sampleMs = sampleMs
  }

  ofQueued(job: QueuedJob, now: Ms): Forecast {
    const { jobs } = this.#forecastOf(job.queue, FRESH_MS, now, job)
    return jobs.get(job) ?? { place: undefined, firstEventMs: undefined }
  }

  /** Whether to compare a forecast with what happens: now and then. */
  sample(queue: ModelQueue, now: Ms): boolean {
    if (now < this.#sampledAt + SAMPLE_MS || now < queue.sampledAt + this.#sampleMs) return false
    queue.sampledAt = this.#sampledAt = now
    return true
  }

  /** When the job in the middle of the queue gets its first event, of those that wait for a key or of all. */
  untilHalfway(queue: ModelQueue, key: string | undefined, now: Ms): Ms | undefined {
    // A full queue rejects thousands of requests, which learn in whole seconds when to come back: one of them pays for all until the next sample.
    const forecast = this.#forecastOf(queue, this.#sampleMs, now)
    if (!forecast.halfway.has(key)) forecast.halfway.set(key, halfwayOf(forecast, key))
    return forecast.halfway.get(key)
  }

  /** One that is not older than that, and has this job. */
  #forecastOf(queue: ModelQueue, mostMs: Ms, now: Ms, job?: QueuedJob): QueueForecast {
    const known = this.#forecasts.get(queue)
    if (known !== undefined && now < known.at + mostMs && (job === undefined || known.jobs.has(job))) return known
    const forecast = {
      at: now,
      jobs: forecastQueue(queue, now),
      halfway: new Map<string | undefined, Ms | undefined>(),
    }
    this.#forecasts.set(queue, forecast)
    return forecast
  }
}

function halfwayOf({ jobs }: QueueForecast, key: string | undefined): Ms | undefined {
  const own = [...jobs].filter(([job]) => key === undefined || job.ticket.key === key)
  return own[own.length >> 1]?.[1].firstEventMs
}
