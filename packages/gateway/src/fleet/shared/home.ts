// The devices that are connected to this gateway. A home passes the frames of each job to its front, tells owners what devices offer, and
// stops the jobs of a front that it can't reach: nobody would read them.

import type { DeviceModel, JobAttempt } from '@hearth/protocol'
import { MS_PER_DIAL, type Hub } from '../../hub/hub.ts'
import type { DeviceListener, JobFrame, Link } from '../../hub/link.ts'
import type { Reporter } from '../../scheduler/core/types.ts'
import { isLastFrame } from './last-frame.ts'
import type { DeviceStatement, JobOrder, Message, RoleMessage } from './messages.ts'

export interface HomeOptions {
  hub: Hub
  /** A direct call if the receiver is this gateway. */
  send: (to: string, message: Message) => void
  schedulerOf: (organization: string) => string | undefined
}

/** Where the frames of an attempt go. */
interface Route {
  readonly attempt: number
  readonly model: string
  /** Undefined once the front can't be reached. */
  front: string | undefined
  /** The client reads slowly. */
  isPaused: boolean
  /** The owner wants to know when it is over. */
  isWatched: boolean
  /** An earlier attempt of the same job that the device hasn't confirmed the end of. */
  readonly older: Route | undefined
}

interface OpenLink {
  readonly link: Link
  /** By job. */
  readonly routes: Map<string, Route>
}

/** Attempts that came to nothing are remembered for longer than a message can be on its way. */
const MOST_REFUSED = 10_000

export class Home implements DeviceListener {
  readonly #options: HomeOptions
  readonly #open = new Map<Link, OpenLink>()
  readonly #paused = new Set<string>()
  /** Attempts that the owner was told are over, before they began: they may still be on their way. */
  readonly #refused = new Set<string>()
  #isDraining = false

  constructor(options: HomeOptions) {
    this.#options = options
    options.hub.listen(this)
  }

  /** Jobs that devices work on. */
  get jobCount(): number {
    return this.#open.values().reduce((sum, { routes }) => sum + routes.size, 0)
  }

  /** A paused device stays linked, finishes its jobs and gets no new ones. */
  pauseChanged(device: string, isPaused: boolean): void {
    if (isPaused) this.#paused.add(device)
    else this.#paused.delete(device)
    const open = this.#find(device)
    if (open !== undefined) this.#announce(open)
  }

  /** All devices of these organizations. */
  state(isWanted: (organization: string) => boolean): Map<string, DeviceStatement[]> {
    const wanted = this.#open.values().filter(({ link }) => isWanted(link.identity.organization))
    const byOrganization = Map.groupBy(wanted, ({ link }) => link.identity.organization)
    return new Map([...byOrganization].map(([name, links]) => [name, links.map((open) => this.#describe(open))]))
  }

  /** From now on, devices get no new jobs here. Each connects to another gateway as soon as it is idle. */
  drain(): void {
    this.#isDraining = true
    for (const open of this.#open.values()) this.#announce(open)
    const idle = [...this.#open.values()].filter(({ routes }) => routes.size === 0)
    for (const [index, { link }] of idle.entries()) this.#sendAway(link, index * MS_PER_DIAL)
  }

  #sendAway({ identity, epoch }: Link, reconnectInMs: number): void {
    this.#options.hub.sendAway(identity.id, epoch, reconnectInMs)
  }

  // What devices do.

  deviceUp(link: Link): void {
    const open = { link, routes: new Map<string, Route>() }
    this.#open.set(link, open)
    this.#announce(open)
  }

  deviceModels(link: Link): void {
    const open = this.#open.get(link)
    if (open !== undefined) this.#announce(open)
  }

  deviceDraining(link: Link): void {
    this.deviceModels(link)
  }

  deviceDown(link: Link): void {
    const open = this.#open.get(link)
    if (open === undefined) return
    this.#open.delete(link)
    const { id, organization } = link.identity
    // First, so that a lost job is not offered to the same device again.
    this.#tellOwner(organization, { type: 'device-down', organization, device: id, epoch: link.epoch })
    for (const { front, job, attempt } of openAttempts(open))
      if (front !== undefined) this.#options.send(front, { type: 'attempt-lost', job, attempt })
  }

  jobFrame(link: Link, frame: JobFrame): void {
    const routes = this.#open.get(link)?.routes
    const route = findRoute(routes, frame)
    if (routes === undefined || route === undefined) return
    const isLast = isLastFrame(frame)
    if (isLast) removeRoute(routes, frame)
    if (route.front !== undefined) this.#options.send(route.front, frame)
    if (isLast && (route.front === undefined || route.isWatched)) this.#release(link, frame)
    if (this.#isDraining && routes.size === 0) this.#sendAway(link, 0)
  }

  /** A front would say that the attempt is over, if there still was one. */
  #release(link: Link, { job, attempt }: JobAttempt): void {
    const { id, organization } = link.identity
    const from: Reporter = { device: id, epoch: link.epoch, job, attempt }
    this.#tellOwner(organization, { type: 'released', organization, from })
  }

  // What fronts want.

  start(front: string, { of, model, request }: Extract<RoleMessage, { type: 'start' }>): void {
    const { device, epoch, job, attempt } = of
    const link = this.#options.hub.find(device, epoch)
    const open = link && this.#open.get(link)
    if (
      link === undefined ||
      open === undefined ||
      link.isOverloaded ||
      this.#refused.has(keyOf(of)) ||
      this.isFull(open, model)
    )
      return this.#options.send(front, { type: 'job-refuse', job, attempt, reason: 'busy' })
    open.routes.set(job, { attempt, model, front, isPaused: false, isWatched: false, older: open.routes.get(job) })
    link.startJob({ job, attempt }, request)
  }

  tell(front: string, { device, epoch, job, attempt }: Reporter, frame: JobOrder): void {
    const link = this.#options.hub.find(device, epoch)
    const route = link && findRoute(this.#open.get(link)?.routes, frame)
    if (link !== undefined && route !== undefined) return passOn(link, route, frame)
    if (link !== undefined && frame.type === 'job-cancel')
      this.#options.send(front, { type: 'job-cancelled', job, attempt })
  }

  /** An owner that has just taken over, or was cut off, can be wrong about that; the gateway that holds the device is not. */
  protected isFull(open: OpenLink, model: string): boolean {
    const { state } = open.link
    const slots = 'hello' in state ? state.hello.models.find(({ name }) => name === model)?.slots : undefined
    return slots !== undefined && openAttempts(open).filter((other) => other.model === model).length >= slots
  }

  /** The owner hears when the attempt is over. If it is now, it does not begin any more. */
  releasedWanted(owner: string, of: Reporter): void {
    const link = this.#options.hub.find(of.device, of.epoch)
    const open = link && this.#open.get(link)
    if (link === undefined || open === undefined) return
    const route = findRoute(open.routes, of)
    if (route !== undefined) return void (route.isWatched = true)
    this.#refuse(keyOf(of))
    const { organization } = link.identity
    this.#options.send(owner, { type: 'released', organization, from: of })
  }

  #refuse(attempt: string): void {
    this.#refused.add(attempt)
    if (this.#refused.size > MOST_REFUSED) this.#refused.delete(this.#refused.keys().next().value!)
  }

  frontLost(front: string): void {
    this.#eachRoute(front, (link, job, route) => abandonRoute(link, job, route))
  }

  /** The front can't keep up: its devices stop producing until it can. */
  pressed(front: string, isPressed: boolean): void {
    const type = isPressed ? 'job-pause' : 'job-resume'
    this.#eachRoute(front, (link, job, { attempt, isPaused }) => {
      if (!isPaused) link.send({ type, job, attempt })
    })
  }

  #eachRoute(front: string, action: (link: Link, job: string, route: Route) => void): void {
    for (const { link, routes } of this.#open.values())
      for (const [job, latest] of routes)
        for (let route: Route | undefined = latest; route !== undefined; route = route.older)
          if (route.front === front) action(link, job, route)
  }

  #announce(open: OpenLink): void {
    const { organization } = open.link.identity
    this.#tellOwner(organization, { type: 'device', organization, device: this.#describe(open) })
  }

  #describe(open: OpenLink): DeviceStatement {
    const { identity, epoch, address, state } = open.link
    const models: readonly DeviceModel[] = 'hello' in state ? state.hello.models : []
    return {
      device: identity.id,
      epoch,
      boot: 'hello' in state ? state.hello.boot : '',
      address,
      models: this.#paused.has(identity.id) ? [] : models,
      isDraining: this.#isDraining || state.name === 'draining',
      open: openAttempts(open).map(({ job, attempt, model }) => ({ job, attempt, model })),
    }
  }

  #find(device: string): OpenLink | undefined {
    const link = this.#options.hub.current(device)
    return link && this.#open.get(link)
  }

  #tellOwner(organization: string, message: RoleMessage): void {
    const owner = this.#options.schedulerOf(organization)
    if (owner !== undefined) this.#options.send(owner, message)
  }
}

function passOn(link: Link, route: Route, frame: JobOrder): void {
  if (frame.type !== 'job-cancel') route.isPaused = frame.type === 'job-pause'
  link.send(frame)
}

function abandonRoute(link: Link, job: string, route: Route): void {
  route.front = undefined
  link.send({ type: 'job-cancel', job, attempt: route.attempt, reason: 'client-gone' })
}

function openAttempts({ routes }: OpenLink): (JobAttempt & Pick<Route, 'front' | 'model'>)[] {
  const attempts = []
  for (const [job, latest] of routes)
    for (let route: Route | undefined = latest; route !== undefined; route = route.older)
      attempts.push({ job, attempt: route.attempt, model: route.model, front: route.front })
  return attempts
}

function keyOf({ device, epoch, job, attempt }: Reporter): string {
  return `${device} ${epoch} ${job} ${attempt}`
}

function findRoute(routes: Map<string, Route> | undefined, { job, attempt }: JobAttempt): Route | undefined {
  let route = routes?.get(job)
  while (route !== undefined && route.attempt !== attempt) route = route.older
  return route
}

function removeRoute(routes: Map<string, Route>, { job, attempt }: JobAttempt): void {
  const rest = withoutAttempt(routes.get(job), attempt)
  if (rest === undefined) routes.delete(job)
  else routes.set(job, rest)
}

function withoutAttempt(route: Route | undefined, attempt: number): Route | undefined {
  if (route === undefined || route.attempt === attempt) return route?.older
  return { ...route, older: withoutAttempt(route.older, attempt) }
}
