// A device that answers with numbers. It complains if it gets more jobs than it has slots, or the same one twice.

import type { DeviceFrame, DeviceModel, GatewayFrame, JobAttempt, JobRequest } from '@hearth/protocol'
import type { JobFrame } from '../../terms/job-frame.ts'
import type { Ms } from '../../terms/job.ts'
import type { Account } from '../account/account.ts'
import { after, before } from '../account/hear.ts'
import type { KnownAttempt } from '../account/known-job.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../virtual-clock.ts'
import { Attempt } from './attempt.ts'
import type { Fate } from './fate.ts'
import type { Link } from './link.ts'
import { withPresence } from './models.ts'
import { demand } from '../violation.ts'

interface Surroundings {
  readonly clock: VirtualClock
  readonly random: Random
  readonly account: Account | undefined
  /** How the next attempt goes. */
  fate(): Fate
  started(device: Device, of: JobAttempt): KnownAttempt | undefined
  linkLost(device: Device): void
  /** An attempt is over, from its device's side. */
  past(attempt: Attempt): void
}

export class Device {
  readonly id: string
  readonly organization: string
  models: DeviceModel[]
  link: Link | undefined
  /** When it last heard from its gateway. */
  heardAt: Ms = 0
  frozenUntil: Ms = 0
  /** Time between two numbers. */
  readonly tokenMs: Ms
  readonly promptMs: Ms
  readonly working = new Map<string, Attempt>()
  readonly #world: Surroundings

  constructor(world: Surroundings, id: string, organization: string, models: DeviceModel[]) {
    this.#world = world
    this.id = id
    this.organization = organization
    this.models = models
    this.tokenMs = world.random.between(1, 30)
    this.promptMs = world.random.between(1, world.account ? 800 : 40)
  }

  get isUp(): boolean {
    return this.link?.isOpen === true
  }

  // Events of its link.

  opened(link: Link): void {
    if (link !== this.link) return
    const { id: boot, models } = this
    link.say({ type: 'hello', protocols: [1], app: '1', boot, engine: 'simulated', models })
  }

  closed(link: Link): void {
    if (link !== this.link) return
    this.link = undefined
    this.#drop(() => true)
    this.#world.linkLost(this)
  }

  /** Attempts over a link that it no longer has. */
  #drop(isLost: (attempt: Attempt) => boolean): void {
    for (const [key, attempt] of this.working) {
      if (!isLost(attempt)) continue
      attempt.vanish()
      this.working.delete(key)
    }
  }

  /** A new link takes the place of the old one: what ran over that is lost. */
  relink(link: Link): void {
    this.link = link
    this.#drop(() => true)
  }

  heard(link: Link, frame: GatewayFrame): void {
    if (link !== this.link) return
    this.heardAt = this.#world.clock.now
    if (frame.type === 'ping') return this.#world.clock.after(1, () => link.say({ type: 'pong' }))
    if (frame.type === 'job-start') return this.#start(frame, frame.request!)
    const attempt = 'attempt' in frame ? this.working.get(keyOf(frame)) : undefined
    if (attempt === undefined) return
    if (frame.type === 'job-cancel') this.#cancel(attempt, frame)
    else attempt.isPaused = frame.type === 'job-pause'
  }

  #start(of: JobAttempt, request: JobRequest): void {
    const { model } = request
    const slots = this.models.find(({ name }) => name === model)?.slots
    demand(
      slots === undefined || this.#countOf(model) < slots,
      () => `attempt ${of.attempt} of ${of.job} on ${this.id} starts without a free slot`,
    )
    const known = this.#world.started(this, of)
    const fate = this.#world.fate()
    this.working.set(keyOf(of), new Attempt(this, this.#world.clock, request, fate, of, known))
  }

  #countOf(model: string): number {
    let count = 0
    for (const attempt of this.working.values()) if (attempt.model === model) count += 1
    return count
  }

  #cancel(attempt: Attempt, { reason }: Extract<GatewayFrame, { type: 'job-cancel' }>): void {
    if (attempt.known) this.#world.account?.cancelled(attempt.known, reason)
    this.#world.clock.after(this.#world.random.between(1, 40), () => attempt.cancel())
  }

  // Its own actions.

  say(attempt: Attempt, frame: JobFrame): void {
    const { account } = this.#world
    const { known } = attempt
    if (account === undefined || known === undefined) return this.link?.say(frame)
    before(account, known, frame)
    this.link?.say(frame)
    after(account, known, frame)
  }

  tell(frame: DeviceFrame): void {
    this.link?.say(frame)
    this.#world.account?.settled()
  }

  announce(models: DeviceModel[]): void {
    this.models = models
    if (this.isUp) this.tell({ type: 'models', models })
  }

  /** How long it takes to load the model; undefined if it has it. */
  loadMs(model: string): Ms | undefined {
    const found = this.models.find(({ name }) => name === model)
    return found?.state === 'loadable' ? (found.loadMs ?? 1_000) : undefined
  }

  /** The device has loaded the model for an attempt, and says so. */
  loaded(model: string): void {
    if (this.models.some(({ name }) => name === model)) this.announce(withPresence(this.models, model, 'loaded'))
  }

  done(attempt: Attempt): void {
    this.working.delete(keyOf(attempt))
    this.#world.past(attempt)
  }
}

function keyOf({ job, attempt }: JobAttempt): string {
  return `${job} ${attempt}`
}
