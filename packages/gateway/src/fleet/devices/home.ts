// The devices that are connected to this gateway. A home knows which of their slots are taken, and nobody else does: a lease that it has not
// heard of when it states that anew is void. It passes the frames of each job to its front, and stops the jobs of a front that it can't reach:
// nobody would read them.

import { CLOSE } from '@hearth/protocol'
import type { DeviceStatement, JobOrder, Post, RoleMessage, Start } from '../terms/messages.ts'
import { CurrentLinks } from './current-links.ts'
import { isLastFrame, type JobFrame } from '../terms/job-frame.ts'
import type { DeviceLink } from './device-link.ts'
import type { OpenAttempt } from './open-attempts.ts'

export interface HomeOptions extends Pick<Post, 'send' | 'tellLessor'> {
  /** A device got a job of this front. */
  onStart?: ((front: string, start: Start) => void) | undefined
}

/** Dials of a fleet that comes back. One takes a quarter of a millisecond, and the rest of the time is for everyone else. */
export const MS_PER_DIAL = 1
export const LEAVING = 'the gateway is shutting down'

export class Home {
  readonly links = new CurrentLinks()
  readonly #options: HomeOptions
  readonly #paused = new Set<string>()
  #isDraining = false

  constructor(options: HomeOptions) {
    this.#options = options
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
    if (link !== undefined) this.#announce(link)
  }

  /** States which slots of these organizations are taken. Leases that are on their way become void. */
  state(isWanted: (organization: string) => boolean): void {
    for (const link of this.links.values()) if (isWanted(link.identity.organization)) this.#state(link)
  }

  #state(link: DeviceLink): void {
    link.edition += 1
    this.#announce(link)
  }

  /** The lessor doesn't know what became of a lease. */
  stateWanted(device: string, epoch: number): void {
    const link = this.links.find(device, epoch)
    if (link !== undefined) this.#state(link)
  }

  /** From now on, devices get no new jobs here. Each connects to another gateway as soon as it is idle. */
  drain(): void {
    this.#isDraining = true
    const links = [...this.links.values()]
    for (const link of links) this.#announce(link)
    const idle = links.filter(({ open }) => open.isEmpty)
    for (const [index, link] of idle.entries()) sendAway(link, index * MS_PER_DIAL)
  }

  // Events of devices.

  /** It is here, has other models, or takes no more jobs. */
  deviceChanged(link: DeviceLink): void {
    this.#announce(link)
  }

  deviceDown({ identity, epoch, open }: DeviceLink): void {
    const { id, organization } = identity
    // First, so that a lost job is not offered to the same device again.
    this.#options.tellLessor({ type: 'device-down', organization, device: id, epoch })
    for (const { front, job, attempt } of open.all)
      if (front !== undefined) this.#options.send(front, { type: 'attempt-lost', job, attempt, wasSent: true })
  }

  jobFrame(link: DeviceLink, frame: JobFrame, { front, lease }: OpenAttempt): void {
    if (front !== undefined) this.#options.send(front, frame)
    if (!isLastFrame(frame)) return
    // After the front: it says first what the key has used.
    const { id, organization } = link.identity
    this.#options.tellLessor({ type: 'freed', organization, device: id, lease })
    if (this.#isDraining && link.open.isEmpty) sendAway(link, 0)
  }

  // Messages from fronts.

  start(front: string, { start, request }: Extract<RoleMessage, { type: 'start' }>): void {
    const { job, attempt, lease, device, epoch, model, organization, client } = start
    const link = this.links.find(device, epoch)
    const isOwn = link?.identity.organization === organization
    if (link !== undefined && isOwn && !link.isOverloaded && this.isCurrent(link, start) && !this.isFull(link, model)) {
      this.#options.onStart?.(front, start)
      return link.startJob({ job, attempt, lease, model, front, client, isPaused: false }, request)
    }
    if (link === undefined) return this.#options.send(front, { type: 'attempt-lost', job, attempt, wasSent: false })
    this.#options.send(front, { type: 'job-refuse', job, attempt, reason: 'busy' })
    this.#options.tellLessor({ type: 'freed', organization, device, lease })
  }

  /** Its lessor knew of all slots that were taken when it was last asked to count on that. */
  isCurrent({ edition }: DeviceLink, start: Start): boolean {
    return start.edition === edition
  }

  /** A device may have given slots up while a lease was on its way. */
  isFull({ models, open }: DeviceLink, model: string): boolean {
    const slots = models.find(({ name }) => name === model)?.slots
    return slots !== undefined && open.countOf(model) >= slots
  }

  tell(device: string, epoch: number, frame: JobOrder): void {
    const link = this.links.find(device, epoch)
    const open = link?.open.find(frame)
    if (link === undefined || open === undefined) return
    if (frame.type !== 'job-cancel') open.isPaused = frame.type === 'job-pause'
    link.send(frame)
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

  #announce(link: DeviceLink): void {
    const { organization } = link.identity
    this.#options.tellLessor({ type: 'device', organization, device: this.describe(link) })
  }

  describe({ identity, epoch, edition, boot, address, models, state, open }: DeviceLink): DeviceStatement {
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

/** To another gateway, after this time. */
function sendAway(link: DeviceLink, reconnectInMs: number): void {
  link.send({ type: 'restarting', reconnectInMs })
  link.close(CLOSE.goingAway, LEAVING)
}
