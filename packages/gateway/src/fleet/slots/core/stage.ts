// A scheduler for tests: short calls in, decisions out as short strings, and a clock that the test moves.

import type { DeviceModel, CancelReason, Feature, RefuseReason } from '@hearth/protocol'
import type { Failure } from '@hearth/chat'
import { SchedulerCore } from './scheduler-core.ts'
import { DEFAULT_LIMITS, type Effect, type Forecast, type SchedulerLimits } from './types.ts'
import type { Ms, Reporter, Ticket } from '../../terms/job.ts'

export interface StageDevice {
  organization?: string
  epoch?: number
  slots?: number
  features?: Feature[]
  models?: DeviceModel[]
}

export class Stage {
  readonly core: SchedulerCore
  now: Ms = 1_000
  /** The latest offer of each job. */
  readonly #offers = new Map<string, Reporter>()
  readonly #keys = new Map<string, string>()

  constructor(limits: Partial<SchedulerLimits> = {}) {
    this.core = new SchedulerCore({ ...DEFAULT_LIMITS, ...limits })
  }

  submit(job: string, ticket: Partial<Ticket> = {}): this {
    this.#keys.set(job, ticket.key ?? 'key')
    this.core.submit(
      {
        job,
        organization: 'acme',
        key: 'key',
        model: 'small',
        features: [],
        rerunnable: false,
        cost: 100,
        promptSize: 1_000,
        prefixes: [],
        ...ticket,
      },
      this.now,
    )
    return this
  }

  up(device: string, options: StageDevice = {}): this {
    const { organization = 'acme', epoch = 1, slots = 1, features = [], models } = options
    const served = models ?? [model('small', slots, features)]
    this.core.deviceUp({ device, epoch, organization, models: served }, this.now)
    return this
  }

  announce(device: string, models: DeviceModel[]): this {
    this.core.deviceModels(device, 1, models, this.now)
    return this
  }

  down(device: string, epoch = 1): this {
    this.core.deviceDown(device, epoch, this.now)
    return this
  }

  accept(job: string): this {
    this.core.accepted(this.reporter(job), this.now)
    return this
  }

  refuse(job: string, reason: RefuseReason = 'busy'): this {
    this.core.refused(this.reporter(job), reason, this.now)
    return this
  }

  /** The front has delivered `events` of the latest attempt. */
  deliver(job: string, events = 1, tokens = events): this {
    this.core.delivered(this.reporter(job), { nextSequence: events, tokens, isShown: true }, this.now)
    return this
  }

  end(job: string, tokens?: number): this {
    const counted = tokens === undefined ? undefined : { prompt: 0, completion: tokens }
    this.core.ended(this.reporter(job), counted, this.now)
    return this
  }

  progress(job: string, promptTokens?: number): this {
    this.core.progress(this.reporter(job), promptTokens, this.now)
    return this
  }

  loading(job: string): this {
    this.core.loading(this.reporter(job), this.now)
    return this
  }

  fail(job: string, failure: Partial<Failure> = {}): this {
    const error = { code: 'failed', message: 'out of memory' }
    this.core.failed(this.reporter(job), { retryable: true, crashed: false, error, ...failure }, this.now)
    return this
  }

  handOver(job: string): this {
    this.core.handOver(this.reporter(job), this.now)
    return this
  }

  confirm(reporter: Reporter): this {
    this.core.cancelConfirmed(reporter, this.now)
    return this
  }

  cancel(job: string, reason: CancelReason = 'client-gone'): this {
    this.core.cancel(job, reason, this.now)
    return this
  }

  /** Moves the clock, with a tick at every deadline on the way. */
  pass(ms: Ms): this {
    const until = this.now + ms
    for (let next = this.core.nextDeadline(); next !== undefined && next <= until; next = this.core.nextDeadline()) {
      this.now = Math.max(this.now, next)
      this.core.tick(this.now)
    }
    this.now = until
    return this
  }

  /** Whether the job still depends on its latest offer. */
  holds(job: string): boolean {
    return this.core.holds(this.reporter(job))
  }

  forecast(job: string): Forecast | undefined {
    return new Map(this.core.forecasts(this.#keys.get(job) ?? '', this.now)).get(job)
  }

  /** Identifies the latest offer of this job, as the device would in a report. */
  reporter(job: string): Reporter {
    this.#note()
    const offer = this.#offers.get(job)
    if (offer === undefined) throw new Error(`Cannot report on ${job}: it was never offered`)
    return offer
  }

  /** Decisions since the last call. */
  take(): string[] {
    this.#note()
    return this.core.effects.splice(0).map(describeEffect)
  }

  #note(): void {
    for (const effect of this.core.effects) {
      if (effect.type !== 'offer') continue
      const { job, attempt, device, epoch } = effect
      this.#offers.set(job, { job, attempt, device, epoch })
    }
  }
}

export function model(name: string, slots = 1, features: Feature[] = []): DeviceModel {
  return { name, contextLength: 4096, slots, features }
}

function describeEffect(effect: Effect): string {
  switch (effect.type) {
    case 'offer':
      return effect.course.begun === undefined
        ? `offer ${effect.job} to ${effect.device}`
        : `continue ${effect.job} on ${effect.device}`
    case 'cancel':
      return `cancel ${effect.job} on ${effect.device}: ${effect.reason}`
    case 'finish':
      return `finish ${effect.job}: ${describeOutcome(effect)}`
    default:
      return effect satisfies never
  }
}

function describeOutcome({ outcome }: Extract<Effect, { type: 'finish' }>): string {
  switch (outcome.kind) {
    case 'unsupported':
      return `unsupported ${outcome.missing.join(' ')}`
    case 'queue-full':
      return `queue-full ${outcome.scope}`
    case 'out-of-memory':
      return `out-of-memory ${outcome.full}`
    case 'timed-out':
      return `timed-out ${outcome.limit}`
    case 'refused-by-device':
      return `refused-by-device ${outcome.error.message}`
    case 'cancelled':
    case 'crashed':
    case 'device-lost':
    case 'ended':
    case 'key-revoked':
    case 'model-disabled':
    case 'no-device':
    case 'shutdown':
      return outcome.kind
    default:
      return outcome satisfies never
  }
}
