// Runs jobs on devices: tells the pure core what happens, carries out its decisions, and passes the events of each job to its reply.
// Everything here is synchronous, except for one timer that wakes the core at its next deadline.

import type { DeviceModel } from '@hearth/protocol'
import { realClock } from '../bus/clock.ts'
import type { DeviceListener, JobFrame, Link, Links } from './home/link.ts'
import { PassingMap } from '../passing-map.ts'
import { SchedulerCore } from './scheduler/core/scheduler-core.ts'
import type { SchedulerStats } from './scheduler/core/stats.ts'
import type { Effect, SchedulerLimits, Reporter, Ticket } from './scheduler/core/types.ts'
import { EffectRunner } from './scheduler/effect-runner.ts'
import { frameBytes } from './front/frame-bytes.ts'
import { endTokens, eventTokens, promptTokens } from './front/frame-tokens.ts'
import type { JobRecord } from './front/job-record.ts'
import type { JobHandle, Reply, SerializedJob } from './front/reply.ts'
import {
  deliver,
  finish,
  isShown,
  MAX_REPLY_BYTES,
  newRun,
  note,
  place,
  startAttempt,
  startOver,
  timesOf,
  type EventFrame,
  type Run,
} from './front/run.ts'
import { listWaiting, type WaitingJob } from './front/waiting-jobs.ts'

export interface SchedulerOptions {
  links: Links
  limits: SchedulerLimits
  onRecord: (record: JobRecord) => void
  now?: () => number
}

export class Scheduler implements DeviceListener {
  readonly #core: SchedulerCore
  readonly #links: Links
  readonly #now: () => number
  readonly #onRecord: SchedulerOptions['onRecord']
  readonly #paused = new Set<string>()
  readonly #runs = new PassingMap<Run>()
  /** Reused for every frame, so that a token costs no allocation. */
  readonly #reporter: Reporter = { device: '', epoch: 0, job: '', attempt: 0 }
  readonly #effects: EffectRunner

  constructor({ links, limits, onRecord, now = () => performance.now() }: SchedulerOptions) {
    this.#core = new SchedulerCore(limits)
    this.#links = links
    this.#onRecord = onRecord
    this.#now = now
    this.#effects = new EffectRunner({
      core: this.#core,
      clock: { ...realClock, now },
      carryOut: (effect) => this.#carryOut(effect),
      wake: () => this.#do((at) => this.#core.tick(at)),
    })
    links.listen(this)
  }

  get runCount(): number {
    return this.#runs.size
  }

  stats(): SchedulerStats {
    return this.#core.stats(this.#now())
  }

  /** The jobs of a key that have produced nothing yet. */
  waiting(key: string): WaitingJob[] {
    const now = this.#now()
    const deviceOf = (job: string) => this.#core.runner(job)?.device
    return listWaiting(this.#runs.values(), key, deviceOf, (job) => this.#core.forecast(job, now))
  }

  submit(ticket: Ticket, job: SerializedJob, reply: Reply): JobHandle {
    const now = this.#now()
    const run = newRun(ticket, job, reply, now)
    this.#runs.set(ticket.job, run)
    this.#core.submit(ticket, now, job.text.length)
    this.#effects.run()
    return {
      cancel: (reason) => this.#do((at) => this.#core.cancel(ticket.job, reason, at)),
      giveUp: (full) => this.#do((at) => this.#core.outOfMemory(ticket.job, full, at)),
      pause: () => this.#setPaused(run, true),
      resume: () => this.#setPaused(run, false),
    }
  }

  modelClosed(organization: string, model: string): void {
    this.#do((now) => this.#core.modelClosed(organization, model, now))
  }

  keyRevoked(key: string): void {
    this.#do((now) => this.#core.keyRevoked(key, now))
  }

  /** A paused device stays linked, finishes its jobs and gets no new ones. */
  pauseChanged(device: string, isPaused: boolean): void {
    if (isPaused) this.#paused.add(device)
    else this.#paused.delete(device)
    const link = this.#links.current(device)
    if (link?.state.name === 'serving') this.deviceModels(link, link.state.hello.models)
  }

  /** Ends all jobs; those submitted later end at once. */
  shutdown(): void {
    this.#do((now) => this.#core.shutdown(now))
    this.#effects.stop()
  }

  deviceUp(link: Link, models: readonly DeviceModel[]): void {
    const { id, organization } = link.identity
    const offered = this.#offered(id, models)
    this.#do((now) => this.#core.deviceUp({ device: id, epoch: link.epoch, organization, models: offered }, now))
  }

  deviceModels(link: Link, models: readonly DeviceModel[]): void {
    const { id } = link.identity
    this.#do((now) => this.#core.deviceModels(id, link.epoch, this.#offered(id, models), now))
  }

  deviceDraining(link: Link): void {
    this.#do((now) => this.#core.deviceDraining(link.identity.id, link.epoch, now))
  }

  deviceDown(link: Link): void {
    this.#do((now) => this.#core.deviceDown(link.identity.id, link.epoch, now))
  }

  jobFrame(link: Link, frame: JobFrame): void {
    const reporter = this.#reporter
    reporter.device = link.identity.id
    reporter.epoch = link.epoch
    reporter.job = frame.job
    reporter.attempt = frame.attempt
    this.#take(frame, reporter, this.#now())
    if (frame.type !== 'job-delta' || this.#core.effects.length > 0) this.#effects.run()
  }

  #setPaused(run: Run, isPaused: boolean): void {
    run.isPaused = isPaused
    this.#tell(run.ticket.job, isPaused ? 'job-pause' : 'job-resume')
  }

  #tell(job: string, type: 'job-pause' | 'job-resume'): void {
    const runner = this.#core.runner(job)
    if (runner) this.#links.find(runner.device, runner.epoch)?.send({ type, job, attempt: runner.attempt })
  }

  #offered(device: string, models: readonly DeviceModel[]): readonly DeviceModel[] {
    return this.#paused.has(device) ? [] : models
  }

  #take(frame: JobFrame, reporter: Reporter, now: number): void {
    switch (frame.type) {
      case 'job-delta':
      case 'job-calls':
      case 'job-annotations':
        return this.#deliver(frame, reporter, now)
      case 'job-end':
        return this.#end(frame, reporter, now)
      case 'job-accept':
        return this.#accepted(reporter, now)
      case 'job-refuse':
        return this.#core.refused(reporter, frame.reason, now)
      case 'job-progress':
        return this.#progress(frame, reporter, now)
      case 'job-hand-over':
        return this.#core.handOver(reporter, now)
      case 'job-cancelled':
        return this.#core.cancelConfirmed(reporter, now)
      case 'job-error':
        return this.#core.failed(reporter, { retryable: frame.retryable, crashed: frame.crashed, error: frame }, now)
      default:
        frame satisfies never
    }
  }

  #progress(frame: Extract<JobFrame, { type: 'job-progress' }>, reporter: Reporter, now: number): void {
    if (frame.phase === 'loading') this.#core.loading(reporter, now)
    else this.#core.progress(reporter, promptTokens(frame), now)
    const run = this.#runs.get(frame.job)
    const { phase, done, total } = frame
    if (run && this.#core.runner(frame.job)?.attempt === frame.attempt) run.progress = { phase, done, total }
  }

  // The device that continues the reply of a slow client doesn't know that it is slow.
  #accepted(reporter: Reporter, now: number): void {
    this.#core.accepted(reporter, now)
    if (this.#runs.get(reporter.job)?.isPaused === true) this.#tell(reporter.job, 'job-pause')
  }

  #deliver(frame: EventFrame, reporter: Reporter, now: number): void {
    const run = this.#runs.get(frame.job)
    if (run && frame.choice >= run.choices) return this.#core.faulted(reporter, now)
    const shown = isShown(frame)
    if (this.#core.receive(reporter, frame.sequence, eventTokens(frame), now, shown) === 'drop' || !run) return
    run.bytes += frameBytes(frame)
    if (run.bytes > MAX_REPLY_BYTES) return this.#core.faulted(reporter, now)
    if (!note(run, frame)) this.#stopRecording(run)
    if (!shown) return
    if (run.firstEventAt === undefined && !run.ticket.rerunnable)
      place(run, reporter.device, this.#core.waitedMs(frame.job))
    deliver(run, frame, now)
  }

  #stopRecording(run: Run): void {
    run.record = undefined
    this.#core.stopRecording(run.ticket.job)
  }

  #end(frame: Extract<JobFrame, { type: 'job-end' }>, reporter: Reporter, now: number): void {
    const run = this.#runs.get(frame.job)
    if (run && frame.finishes.length !== run.choices) return this.#core.faulted(reporter, now)
    if (this.#core.ended(reporter, frame.sequence, endTokens(frame), now) === 'drop' || !run) return
    run.firstEventAt ??= now
    run.end = frame
  }

  #do(action: (now: number) => void): void {
    action(this.#now())
    this.#effects.run()
  }

  #carryOut(effect: Effect): void {
    const run = this.#runs.get(effect.job)
    switch (effect.type) {
      case 'offer':
        return this.#offer(effect, run)
      case 'cancel':
        return this.#links
          .find(effect.device, effect.epoch)
          ?.send({ type: 'job-cancel', job: effect.job, attempt: effect.attempt, reason: effect.reason })
      case 'restart':
        return run && startOver(run)
      case 'finish':
        return this.#finish(effect, run)
      default:
        effect satisfies never
    }
  }

  #offer(effect: Extract<Effect, { type: 'offer' }>, run: Run | undefined): void {
    const link = this.#links.find(effect.device, effect.epoch)
    if (!run || !link || link.isOverloaded) return this.#core.refused({ ...effect }, 'busy', this.#now())
    link.startJob(effect, startAttempt(run, effect.reportsTokens))
  }

  #finish(effect: Extract<Effect, { type: 'finish' }>, run: Run | undefined): void {
    if (!run) return
    this.#runs.delete(effect.job)
    const { outcome, device, tokens, waitMs, expectedMs } = effect
    const times = timesOf(run, this.#now())
    finish(run, { ticket: run.ticket, outcome, device, tokens, waitMs, expectedMs, ...times }, this.#onRecord)
  }
}
