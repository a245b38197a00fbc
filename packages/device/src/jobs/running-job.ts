// One attempt of a job, from its acceptance to its end. It pulls events from the engine, and simply stops pulling while the job is paused or
// the link is congested.

import type { CancelReason, ChatEvent, DeviceFrame, JobAttempt } from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import { EngineError, type Engine, type EngineJob, type EngineProgress } from '../engines/engine.ts'
import type { OpenLink } from '../link/run-link.ts'
import type { EndedJob } from '../news.ts'
import { EventSender } from './event-sender.ts'

/** Why the device stops a job. */
export type StopReason = 'cancelled' | 'handed-over' | 'link-gone' | 'leaving' | 'engine-silent'

export interface RunningJobOptions {
  attempt: JobAttempt
  request: EngineJob
  engine: Pick<Engine, 'run'>
  link: OpenLink
  clock: Clock
  /** False on a device that does not count tokens, or was told not to report them. */
  reportsUsage: boolean
  onDone(job: RunningJob, outcome: Outcome): void
  /** The engine did not release the job in time. */
  onStuck(job: RunningJob): void
}

export type Outcome = EndedJob['outcome']

/** How often a silent job shows that it is alive. */
const PROGRESS_MS = 2_000
/** How long the engine may take to stop. */
export const STOP_MS = 5_000
/** An engine that yields and reports nothing for this long, while it is being pulled, counts as hung. Longer than the engines' own timeouts. */
export const ENGINE_SILENT_MS = 330_000

export class RunningJob {
  readonly attempt: JobAttempt
  readonly model: string
  readonly #options: RunningJobOptions
  readonly #clock: Clock
  readonly #link: OpenLink
  readonly #sender: EventSender
  readonly #abort = new AbortController()
  readonly #ends: (() => void)[] = []
  #stopReason: StopReason | undefined
  #progress: EngineProgress = { phase: 'queued' }
  #resumed: PromiseWithResolvers<void> | undefined
  #wake: (() => void) | undefined
  #isDone = false
  #isOffered = false
  /** When the gateway last heard of this job, and when the engine last showed activity while it was being pulled. */
  #saidAt: number
  #engineAt: number

  constructor(options: RunningJobOptions) {
    this.#options = options
    this.attempt = { job: options.attempt.job, attempt: options.attempt.attempt }
    this.model = options.request.model
    this.#clock = options.clock
    this.#link = options.link
    this.#sender = new EventSender(this.attempt, options.link, options.clock, options.request.recovery?.bareId)
    this.#saidAt = this.#engineAt = options.clock.now()
  }

  start(): void {
    this.#ends.push(this.#clock.every(PROGRESS_MS / 2, () => this.#tick()))
    void this.#run()
  }

  pause(): void {
    this.#resumed ??= Promise.withResolvers()
  }

  resume(): void {
    this.#resumed?.resolve()
    this.#resumed = undefined
  }

  /** Asks the gateway to have another device continue the job. It cancels the job here if one can. */
  handOver(): void {
    if (this.#abort.signal.aborted || this.#isDone) return
    this.#isOffered = true
    this.#link.send({ type: 'job-hand-over', ...this.attempt })
  }

  cancel(reason: CancelReason): void {
    this.stop(this.#isOffered && reason === 'superseded' ? 'handed-over' : 'cancelled')
  }

  stop(reason: StopReason): void {
    // A job that is already stopping keeps its first reason, unless the link is gone and nobody is left to answer.
    if (this.#stopReason === undefined || reason === 'link-gone') this.#stopReason = reason
    if (this.#abort.signal.aborted) return
    this.#ends.push(this.#clock.after(STOP_MS, () => this.#options.onStuck(this)))
    this.#abort.abort(new Error(`job stopped: ${reason}`))
    this.#wake?.()
  }

  /** The engine that ran the job is gone, so nothing more can come. */
  abandon(): void {
    this.#finishStopped()
  }

  async #run(): Promise<void> {
    try {
      const end = await this.#pull()
      if (end === undefined)
        throw new EngineError('failed', 'The engine stopped in the middle of a completion', { retryable: true })
      this.#finishAnswered(end)
    } catch (error) {
      if (this.#stopReason === undefined) this.#finish(this.#errorFrame(error), 'failed')
      else this.#finishStopped()
    }
  }

  async #pull(): Promise<Extract<ChatEvent, { type: 'end' }> | undefined> {
    const { engine, request } = this.#options
    const report = (progress: EngineProgress): void => this.#report(progress)
    for await (const event of engine.run(request, this.#abort.signal, report)) {
      this.#engineAt = this.#clock.now()
      if (event.type === 'end') return event
      this.#saidAt = this.#engineAt
      this.#sender.push(event)
      await this.#mayGoOn()
    }
    return undefined
  }

  async #mayGoOn(): Promise<void> {
    while (!this.#abort.signal.aborted) {
      const wait = this.#resumed?.promise ?? this.#link.room()
      if (wait === undefined) return
      const woken = Promise.withResolvers<void>()
      this.#wake = woken.resolve
      void wait.then(woken.resolve)
      await woken.promise
      this.#engineAt = this.#clock.now()
    }
  }

  #report(progress: EngineProgress): void {
    this.#engineAt = this.#clock.now()
    const isNew = progress.phase !== this.#progress.phase
    this.#progress = progress
    if (isNew) this.#sayProgress()
  }

  #tick(): void {
    const now = this.#clock.now()
    const isAsked = this.#resumed === undefined && this.#link.room() === undefined
    if (!isAsked) this.#engineAt = now
    if (now - this.#engineAt >= ENGINE_SILENT_MS) return this.stop('engine-silent')
    if (now - this.#saidAt >= PROGRESS_MS / 2) this.#sayProgress()
  }

  #sayProgress(): void {
    if (this.#isDone) return
    this.#saidAt = this.#clock.now()
    this.#link.send({ type: 'job-progress', ...this.attempt, ...this.#progress })
  }

  #finishAnswered(end: Extract<ChatEvent, { type: 'end' }>): void {
    if (this.#isDone) return
    this.#sender.end(this.#options.reportsUsage ? end : { type: 'end', finishes: end.finishes })
    this.#finish(undefined, 'answered')
  }

  #finishStopped(): void {
    this.#finish(this.#stopFrame(), this.#stopReason === 'handed-over' ? 'handedOver' : 'stopped')
  }

  #finish(frame: DeviceFrame | undefined, outcome: Outcome): void {
    if (this.#isDone) return
    this.#isDone = true
    for (const end of this.#ends) end()
    if (frame?.type === 'job-error') this.#sender.flush()
    else this.#sender.drop()
    if (frame !== undefined) this.#link.send(frame)
    this.#options.onDone(this, outcome)
  }

  #stopFrame(): DeviceFrame | undefined {
    switch (this.#stopReason) {
      case 'cancelled':
      case 'handed-over':
        return { type: 'job-cancelled', ...this.attempt }
      case 'leaving':
        return this.#failure('The device stopped serving')
      case 'engine-silent':
        return this.#failure('The engine hung')
      case 'link-gone':
      case undefined:
        return undefined
      default:
        return this.#stopReason satisfies never
    }
  }

  #failure(message: string): DeviceFrame {
    return { type: 'job-error', ...this.attempt, code: 'failed', message, retryable: true, crashed: false }
  }

  #errorFrame(error: unknown): DeviceFrame {
    // The message of an unexpected error may contain part of the prompt.
    if (!(error instanceof EngineError)) return this.#failure('The engine failed')
    const { code, message, retryable, crashed, param } = error
    const frame = { type: 'job-error' as const, ...this.attempt, code, message, retryable, crashed }
    return param === undefined ? frame : { ...frame, param }
  }
}
