// The devices that are connected to this gateway. The hub knows which of their slots are taken, and nobody else does: a lease
// that it has not heard of when it reports that anew is void. It passes the frames of each job to its front, and stops the
// jobs of a front that it can't reach: nobody would read them.

import type { Gateways } from '../ports/gateways.ts'
import type { DeviceHubPort } from '../ports/device-hub-port.ts'
import type { SchedulerPort } from '../ports/scheduler-port.ts'
import type { JobOrder, SlotReport, Start } from '../terms/messages.ts'
import { CurrentLinks } from './current-links.ts'
import { isLastFrame, type JobFrame } from '../terms/job-frame.ts'
import type { DeviceLink } from './device-link.ts'
import { LinkRegistry, type LinkRegistryOptions } from './link-registry.ts'
import type { OpenAttempt } from './open-attempts.ts'
import { MS_PER_DIAL, sendAway } from './send-away.ts'

export interface DeviceHubOptions extends LinkRegistryOptions {
  gateways: Gateways
  /** A device got a job of this front. */
  onStart?: ((front: string, start: Start) => void) | undefined
}

export class DeviceHub implements DeviceHubPort {
  readonly links = new CurrentLinks()
  readonly registry: LinkRegistry
  readonly #gateways: Gateways
  readonly #onStart: DeviceHubOptions['onStart']
  readonly #paused = new Set<string>()
  #isDraining = false

  constructor(options: DeviceHubOptions) {
    this.registry = new LinkRegistry(options, this)
    this.#gateways = options.gateways
    this.#onStart = options.onStart
  }

  /** Jobs that devices work on. */
  get jobCount(): number {
    let count = 0
    for (const { open } of this.links.values()) count += open.all.length
    return count
  }

  /** A paused device stays linked, finishes its jobs and gets no new ones. */
  pauseChanged(device: string, isPaused: boolean): void {
    if (isPaused) this.#paused.add(device)
    else this.#paused.delete(device)
    const link = this.links.get(device)
    if (link !== undefined) this.#report(link)
  }

  /** Reports which slots of these organizations are taken. Leases that are on their way become void. */
  reportAll(isWanted: (organization: string) => boolean): void {
    for (const link of this.links.values()) if (isWanted(link.identity.organization)) this.#reportAnew(link)
  }

  #reportAnew(link: DeviceLink): void {
    link.edition += 1
    this.#report(link)
  }

  #report(link: DeviceLink): void {
    this.#schedulerOf(link)?.report(link.identity.organization, this.reportOf(link), this.#gateways.self)
  }

  #schedulerOf({ identity }: DeviceLink): SchedulerPort | undefined {
    return this.#gateways.schedulerOf(identity.organization)
  }

  /** From now on, devices get no new jobs here. Each connects to another gateway as soon as it is idle. */
  drain(): void {
    this.#isDraining = true
    const links = [...this.links.values()]
    for (const link of links) this.#report(link)
    const idle = links.filter(({ open }) => open.isEmpty)
    for (const [index, link] of idle.entries()) sendAway(link, index * MS_PER_DIAL)
  }

  // Events of devices.

  /** It is here, has other models, or takes no more jobs. */
  deviceChanged(link: DeviceLink): void {
    this.#report(link)
  }

  deviceDown(link: DeviceLink): void {
    const { id, organization } = link.identity
    // First, so that a lost job is not offered to the same device again.
    this.#schedulerOf(link)?.deviceDown(organization, id, link.epoch, this.#gateways.self)
    for (const { front, job, attempt } of link.open.all)
      if (front !== undefined) this.#gateways.of(front).jobs.attemptLost({ job, attempt, wasSent: true })
  }

  jobFrame(link: DeviceLink, frame: JobFrame, { front, lease }: OpenAttempt): void {
    if (front !== undefined) this.#gateways.of(front).jobs.frame(frame)
    if (!isLastFrame(frame)) return
    // After the front: it says first what the key has used.
    const { id, organization } = link.identity
    this.#schedulerOf(link)?.freed(organization, { device: id, lease }, this.#gateways.self)
    if (this.#isDraining && link.open.isEmpty) sendAway(link, 0)
  }

  // What jobs want.

  start(start: Start, request: string, front: string): void {
    const { job, attempt, lease, device, epoch, model, organization, client } = start
    const link = this.links.find(device, epoch)
    const isOwn = link?.identity.organization === organization
    if (link !== undefined && isOwn && !link.isOverloaded && this.isCurrent(link, start) && !this.isFull(link, model)) {
      this.#onStart?.(front, start)
      return link.startJob({ job, attempt, lease, model, front, client, isPaused: false }, request)
    }
    const { jobs } = this.#gateways.of(front)
    if (link === undefined) return jobs.attemptLost({ job, attempt, wasSent: false })
    jobs.frame({ type: 'job-refuse', job, attempt, reason: 'busy' })
    this.#gateways.schedulerOf(organization)?.freed(organization, { device, lease }, this.#gateways.self)
  }

  /** Its scheduler knew of all slots that were taken when it was last asked to count on that. */
  isCurrent({ edition }: DeviceLink, start: Start): boolean {
    return start.edition === edition
  }

  /** A device may have given slots up while a lease was on its way. */
  isFull({ models, open }: DeviceLink, model: string): boolean {
    const slots = models.find(({ name }) => name === model)?.slots
    return slots !== undefined && open.countOf(model) >= slots
  }

  order(device: string, epoch: number, order: JobOrder): void {
    const link = this.links.find(device, epoch)
    const open = link?.open.find(order)
    if (link === undefined || open === undefined) return
    if (order.type !== 'job-cancel') open.isPaused = order.type === 'job-pause'
    link.send(order)
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

  #eachOf(front: string, action: (link: DeviceLink, open: OpenAttempt) => void): void {
    for (const link of this.links.values())
      for (const open of link.open.all) if (open.front === front) action(link, open)
  }

  // What schedulers want.

  /** The scheduler doesn't know what became of a lease. */
  reportWanted(device: string, epoch: number): void {
    const link = this.links.find(device, epoch)
    if (link !== undefined) this.#reportAnew(link)
  }

  superseded(device: string, epoch: number): void {
    const link = this.links.find(device, epoch)
    if (link !== undefined) this.registry.supersede(link)
  }

  inUse(device: string, epoch: number): void {
    const link = this.links.find(device, epoch)
    if (link !== undefined) this.registry.turnAway(link)
  }

  contested(device: string, epoch: number, address: string): void {
    const link = this.links.find(device, epoch)
    if (link !== undefined) this.registry.contested(link, address)
  }

  reportOf({ identity, epoch, edition, boot, address, models, state, open }: DeviceLink): SlotReport {
    return {
      device: identity.id,
      epoch,
      edition,
      boot,
      address,
      models: this.#paused.has(identity.id) ? [] : models,
      isDraining: this.#isDraining || state.name === 'draining',
      taken: open.all.map(({ lease, model }) => ({ lease, model })),
    }
  }
}
