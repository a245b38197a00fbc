// The devices that are connected to this gateway. A home passes the frames of each job to its front, tells schedulers what devices offer,
// and stops the jobs of a front that it can't reach: nobody would read them.

import { forgetOldest } from '../../forget-oldest.ts'
import type { DeviceModel, JobAttempt } from '@hearth/protocol'
import type { DeviceStatement, JobOrder, Message, RoleMessage } from '../terms/messages.ts'
import type { Reporter } from '../terms/job.ts'
import { MS_PER_DIAL, type Hub } from './hub.ts'
import { isLastFrame, type JobFrame } from '../terms/job-frame.ts'
import type { DeviceListener, Link } from './link.ts'
import type { OpenAttempt } from './open-attempts.ts'

export interface HomeOptions {
  hub: Hub
  /** A direct call if the receiver is this gateway. */
  send: (to: string, message: Message) => void
  schedulerOf: (organization: string) => string | undefined
}

/** Attempts that came to nothing are remembered for longer than a message can be on its way. */
export const MOST_REFUSED = 10_000

export class Home implements DeviceListener {
  readonly #options: HomeOptions
  readonly #paused = new Set<string>()
  /** Attempts that the scheduler was told are over, before they began: they may still be on their way. */
  readonly #refused = new Set<string>()
  #isDraining = false

  constructor(options: HomeOptions) {
    this.#options = options
    options.hub.listen(this)
  }

  /** Jobs that devices work on. */
  get jobCount(): number {
    let count = 0
    for (const { open } of this.#options.hub.links) count += open.all.length
    return count
  }

  /** A paused device stays linked, finishes its jobs and gets no new ones. */
  pauseChanged(device: string, isPaused: boolean): void {
    if (isPaused) this.#paused.add(device)
    else this.#paused.delete(device)
    const link = this.#options.hub.current(device)
    if (link !== undefined) this.#announce(link)
  }

  /** All devices of these organizations. */
  state(isWanted: (organization: string) => boolean): Map<string, DeviceStatement[]> {
    const wanted = [...this.#options.hub.links].filter(({ identity }) => isWanted(identity.organization))
    const byOrganization = Map.groupBy(wanted, ({ identity }) => identity.organization)
    return new Map([...byOrganization].map(([name, links]) => [name, links.map((link) => this.#describe(link))]))
  }

  /** From now on, devices get no new jobs here. Each connects to another gateway as soon as it is idle. */
  drain(): void {
    this.#isDraining = true
    const links = [...this.#options.hub.links]
    for (const link of links) this.#announce(link)
    const idle = links.filter(({ open }) => open.isEmpty)
    for (const [index, link] of idle.entries()) this.#sendAway(link, index * MS_PER_DIAL)
  }

  #sendAway({ identity, epoch }: Link, reconnectInMs: number): void {
    this.#options.hub.sendAway(identity.id, epoch, reconnectInMs)
  }

  // Events of devices.

  deviceUp(link: Link): void {
    this.#announce(link)
  }

  deviceModels(link: Link): void {
    this.#announce(link)
  }

  deviceDraining(link: Link): void {
    this.#announce(link)
  }

  deviceDown({ identity, epoch, open }: Link): void {
    const { id, organization } = identity
    // First, so that a lost job is not offered to the same device again.
    this.#tellScheduler(organization, { type: 'device-down', organization, device: id, epoch })
    for (const { front, job, attempt } of open.all)
      if (front !== undefined) this.#options.send(front, { type: 'attempt-lost', job, attempt })
  }

  jobFrame(link: Link, frame: JobFrame, { front, isWatched }: OpenAttempt): void {
    if (front !== undefined) this.#options.send(front, frame)
    if (!isLastFrame(frame)) return
    if (front === undefined || isWatched) this.#release(link, frame)
    if (this.#isDraining && link.open.isEmpty) this.#sendAway(link, 0)
  }

  /** A front would say that the attempt is over, if there still was one. */
  #release({ identity, epoch }: Link, { job, attempt }: JobAttempt): void {
    const { id, organization } = identity
    const from: Reporter = { device: id, epoch, job, attempt }
    this.#tellScheduler(organization, { type: 'released', organization, from })
  }

  // Messages from fronts.

  start(front: string, { of, model, request }: Extract<RoleMessage, { type: 'start' }>): void {
    const { device, epoch, job, attempt } = of
    const link = this.#options.hub.find(device, epoch)
    if (link === undefined || link.isOverloaded || this.#wasRefused(of) || this.isFull(link, model))
      return this.#options.send(front, { type: 'job-refuse', job, attempt, reason: 'busy' })
    link.startJob({ job, attempt, model, front, isPaused: false, isWatched: false }, request)
  }

  /** A scheduler that has just taken over, or was cut off, can be wrong about that; the gateway that holds the device is not. */
  isFull({ state, open }: Link, model: string): boolean {
    const slots = 'hello' in state ? state.hello.models.find(({ name }) => name === model)?.slots : undefined
    return slots !== undefined && open.countOf(model) >= slots
  }

  #wasRefused(of: Reporter): boolean {
    return this.#refused.size > 0 && this.#refused.has(keyOf(of))
  }

  tell(front: string, { device, epoch, job, attempt }: Reporter, frame: JobOrder): void {
    const link = this.#options.hub.find(device, epoch)
    const open = link?.open.find(frame)
    if (link !== undefined && open !== undefined) return passOn(link, open, frame)
    if (link !== undefined && frame.type === 'job-cancel')
      this.#options.send(front, { type: 'job-cancelled', job, attempt })
  }

  /** The scheduler hears when the attempt is over. An attempt that is over now never begins. */
  releasedWanted(scheduler: string, of: Reporter): void {
    const link = this.#options.hub.find(of.device, of.epoch)
    if (link === undefined) return
    const open = link.open.find(of)
    if (open !== undefined) return void (open.isWatched = true)
    this.#refuse(keyOf(of))
    this.#options.send(scheduler, { type: 'released', organization: link.identity.organization, from: of })
  }

  #refuse(attempt: string): void {
    this.#refused.add(attempt)
    forgetOldest(this.#refused, MOST_REFUSED)
  }

  frontLost(front: string): void {
    this.#eachOf(front, (link, open) => {
      open.front = undefined
      link.send({ type: 'job-cancel', job: open.job, attempt: open.attempt, reason: 'client-gone' })
    })
  }

  /** The front can't keep up: its devices stop producing until it can. */
  pressed(front: string, isPressed: boolean): void {
    const type = isPressed ? 'job-pause' : 'job-resume'
    this.#eachOf(front, (link, { job, attempt, isPaused }) => {
      if (!isPaused) link.send({ type, job, attempt })
    })
  }

  #eachOf(front: string, action: (link: Link, open: OpenAttempt) => void): void {
    for (const link of this.#options.hub.links)
      for (const open of link.open.all) if (open.front === front) action(link, open)
  }

  #announce(link: Link): void {
    const { organization } = link.identity
    this.#tellScheduler(organization, { type: 'device', organization, device: this.#describe(link) })
  }

  #describe({ identity, epoch, address, state, open }: Link): DeviceStatement {
    const models: readonly DeviceModel[] = 'hello' in state ? state.hello.models : []
    return {
      device: identity.id,
      epoch,
      boot: 'hello' in state ? state.hello.boot : '',
      address,
      models: this.#paused.has(identity.id) ? [] : models,
      isDraining: this.#isDraining || state.name === 'draining',
      open: open.all.map(({ job, attempt, model }) => ({ job, attempt, model })),
    }
  }

  #tellScheduler(organization: string, message: RoleMessage): void {
    const scheduler = this.#options.schedulerOf(organization)
    if (scheduler !== undefined) this.#options.send(scheduler, message)
  }
}

function passOn(link: Link, open: OpenAttempt, frame: JobOrder): void {
  if (frame.type !== 'job-cancel') open.isPaused = frame.type === 'job-pause'
  link.send(frame)
}

function keyOf({ device, epoch, job, attempt }: Reporter): string {
  return `${device} ${epoch} ${job} ${attempt}`
}
