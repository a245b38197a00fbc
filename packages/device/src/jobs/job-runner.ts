// The jobs of this device: accepts or refuses them, and keeps each until the engine has really released it. Outlives a link.

import {
  isSealed,
  jobNeeds,
  traceOf,
  type CancelReason,
  type ChatJob,
  type DeviceModel,
  type JobAttempt,
  type JobRequest,
  type JobStart,
  type ModelDefaults,
  type RefuseReason,
  type SealedRequest,
  ProtocolError,
} from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import type { Engine } from '../engines/engine.ts'
import type { JobFrame, OpenLink } from '../link/run-link.ts'
import type { EndedJob, JobCounts } from '../news.ts'
import { RequestThread } from './request-thread.ts'
import { plainJob, type ReadyJob } from './ready-job.ts'
import { RunningJob, type StopReason } from './running-job.ts'
import { sealRejected } from './sealed/rejection.ts'
import type { SealedJobs } from './sealed/sealed-jobs.ts'
import { type RecentAttempts, attemptKey, createRecentAttempts } from './recent-attempts.ts'

export interface JobRunnerOptions {
  engine: Pick<Engine, 'run'>
  /** The models the device announces right now. */
  models: () => readonly DeviceModel[]
  /** The organization this device was enrolled in. */
  organization: () => string
  /** The model's values for fields that a request leaves out. */
  defaultsOf?: (model: string) => ModelDefaults | undefined
  /** Undefined on a device that takes no sealed requests. */
  sealed?: Pick<SealedJobs, 'open'> | undefined
  /** False while draining or paused. */
  takesJobs: () => boolean
  /** Ends an engine that does not stop a job, and starts another. Never rejects. */
  restartEngine: (model: string) => Promise<void>
  clock: Clock
  /** After each start and end of a job. */
  onChange: (change: { model: string; ended?: EndedJob }) => void
  onStuck: (model: string) => void
}

interface Arriving {
  start: JobStart
  parts: string[]
  /** Of their texts, in characters. */
  size: number
  giveUp: () => void
}

/** A request in parts is dropped if it is not complete by then. */
const PARTS_MS = 60_000
/** Characters of all requests that are arriving in parts: the largest, and some more. */
export const MOST_ARRIVING = 96 * 1024 * 1024
/** How many of them. */
export const MOST_BEGUN = 64

/** One is enough for all runners of a process. */
const requests = new RequestThread()

export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #running = new Map<string, RunningJob>()
  readonly #arriving = new Map<string, Arriving>()
  /** Sealed requests that are being opened. Each is an object of its own, so that a canceled one is noticed. */
  readonly #opening = new Map<string, object>()
  readonly #recent: RecentAttempts
  readonly #outcomes = { answered: 0, failed: 0, stopped: 0, handedOver: 0 }
  #idle: PromiseWithResolvers<void> | undefined

  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#recent = createRecentAttempts(options.clock.now)
  }

  get running(): number {
    return this.#running.size
  }

  /** Since the app started. */
  get counts(): JobCounts {
    return { running: this.#running.size, ...this.#outcomes }
  }

  runningOn(model: string): number {
    return [...this.#running.values()].filter((job) => job.model === model).length
  }

  /** Throws a ProtocolError for frames that no working gateway sends. */
  receive(frame: JobFrame, link: OpenLink): void {
    const key = attemptKey(frame)
    switch (frame.type) {
      case 'job-start':
        return this.#offer(frame, link)
      case 'job-part':
        return this.#collect(frame, link)
      case 'job-pause':
        return this.#running.get(key)?.pause()
      case 'job-resume':
        return this.#running.get(key)?.resume()
      case 'job-cancel':
        return this.#cancel(key, frame, link)
    }
  }

  /** Nobody is waiting for these jobs any more. */
  linkGone(): void {
    for (const key of this.#arriving.keys()) this.#forgetParts(key)
    this.#opening.clear()
    this.stopAll('link-gone')
  }

  /** Asks the gateway to have other devices continue the running jobs. */
  handOver(): void {
    for (const job of this.#running.values()) job.handOver()
  }

  stopAll(reason: StopReason): void {
    for (const job of this.#running.values()) job.stop(reason)
  }

  /** Resolves when the last job has ended. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve()
    this.#idle ??= Promise.withResolvers()
    return this.#idle.promise
  }

  #offer(start: JobStart, link: OpenLink): void {
    const key = attemptKey(start)
    if (this.#running.has(key)) return link.send({ type: 'job-accept', job: start.job, attempt: start.attempt })
    if (this.#recent.has(start) || this.#arriving.has(key) || this.#opening.has(key)) return
    if (start.organization !== this.#options.organization()) return refuse(start, link, 'wrong-organization')
    if (!this.#options.takesJobs()) return refuse(start, link, 'draining')
    if (start.request !== undefined) return this.#take(start, start.request, link)
    if (this.#arriving.size >= MOST_BEGUN) return refuse(start, link, 'busy')
    const giveUp = this.#options.clock.after(PARTS_MS, () => this.#forgetParts(key))
    this.#arriving.set(key, { start, parts: [], size: 0, giveUp })
  }

  #collect({ index, text, ...attempt }: JobAttempt & { index: number; text: string }, link: OpenLink): void {
    const arriving = this.#arriving.get(attemptKey(attempt))
    if (arriving === undefined) return
    const { start, parts } = arriving
    if (index !== parts.length) throw new ProtocolError(`"index" must be ${parts.length}, the number of the next part`)
    const all = [...this.#arriving.values()].reduce((sum, { size }) => sum + size, text.length)
    if (all > MOST_ARRIVING) {
      this.#forgetParts(attemptKey(attempt))
      return refuse(start, link, 'busy')
    }
    arriving.size += text.length
    if (parts.push(text) === start.parts) void this.#read(arriving, link)
  }

  async #read(arriving: Arriving, link: OpenLink): Promise<void> {
    const { start, parts } = arriving
    const key = attemptKey(start)
    const read = await requests.read(parts).catch((error: unknown) => ({ error }))
    // It was canceled, or the link is gone.
    if (this.#arriving.get(key) !== arriving) return
    this.#forgetParts(key)
    if (!('error' in read)) this.#take(start, read, link)
    else if (read.error instanceof ProtocolError) link.close()
    else refuse(start, link, 'unsupported')
  }

  #forgetParts(key: string): void {
    this.#arriving.get(key)?.giveUp()
    this.#arriving.delete(key)
  }

  #take(start: JobStart, request: JobRequest, link: OpenLink): void {
    if (isSealed(request)) void this.#open(start, request, link)
    else this.#decide(start, plainJob(request, link))
  }

  async #open(start: JobStart, request: SealedRequest, link: OpenLink): Promise<void> {
    const { sealed } = this.#options
    if (sealed === undefined) return refuse(start, link, 'unsupported')
    const key = attemptKey(start)
    const opening = {}
    this.#opening.set(key, opening)
    const ready = await sealed.open(start, request, link)
    // It was canceled, or the link is gone.
    if (this.#opening.get(key) !== opening) return
    this.#opening.delete(key)
    if (typeof ready === 'string') link.send(sealRejected(start, ready))
    else this.#decide(start, ready)
  }

  #decide(start: JobStart, { request, link, claim, engineJob }: ReadyJob): void {
    const model = this.#options.models().find(({ name }) => name === request.model)
    const reason = this.#reasonAgainst(request, model)
    if (model === undefined || reason !== undefined) return refuse(start, link, reason ?? 'not-loaded')
    const rejection = claim()
    if (rejection !== undefined) return link.send(rejection)
    const { clock, engine } = this.#options
    const startedAt = clock.now()
    const job = new RunningJob({
      attempt: start,
      request: engineJob(this.#options.defaultsOf?.(request.model)),
      engine,
      link,
      clock,
      reportsUsage: model.features.includes('usage'),
      onDone: (done, outcome) =>
        this.#done(done, { ...nameOf(start), model: request.model, outcome, ms: clock.now() - startedAt }),
      onStuck: (stuck) => void this.#free(stuck),
    })
    this.#running.set(attemptKey(start), job)
    this.#recent.add(start)
    link.send({ type: 'job-accept', job: start.job, attempt: start.attempt })
    job.start()
    this.#options.onChange({ model: request.model })
  }

  #reasonAgainst(request: ChatJob, model: DeviceModel | undefined): RefuseReason | undefined {
    if (!this.#options.takesJobs()) return 'draining'
    if (model === undefined) return 'not-loaded'
    if (jobNeeds(request).some(({ feature }) => !model.features.includes(feature))) return 'unsupported'
    return this.runningOn(model.name) >= model.slots ? 'busy' : undefined
  }

  /** An unknown job has ended or never started, so its slot is free, which is all the gateway needs to know. */
  #cancel(key: string, frame: JobAttempt & { reason: CancelReason }, link: OpenLink): void {
    const job = this.#running.get(key)
    if (job !== undefined) return job.cancel(frame.reason)
    this.#forgetParts(key)
    this.#opening.delete(key)
    link.send({ type: 'job-cancelled', job: frame.job, attempt: frame.attempt })
  }

  async #free(job: RunningJob): Promise<void> {
    this.#options.onStuck(job.model)
    await this.#options.restartEngine(job.model)
    job.abandon()
  }

  #done({ attempt, model }: RunningJob, ended: EndedJob): void {
    this.#running.delete(attemptKey(attempt))
    this.#outcomes[ended.outcome] += 1
    this.#options.onChange({ model, ended })
    if (this.#running.size > 0) return
    this.#idle?.resolve()
    this.#idle = undefined
  }
}

function nameOf({ job, client }: JobStart): Pick<EndedJob, 'request' | 'trace'> {
  return { request: client?.requestId ?? job, trace: traceOf(client) }
}

function refuse({ job, attempt }: JobStart, link: OpenLink, reason: RefuseReason): void {
  link.send({ type: 'job-refuse', job, attempt, reason })
}
