// The devices that are connected to this gateway. One link per device: the newest wins. Whoever listens hears of devices coming, changing
// and going, and of every frame about a job.

import { CLOSE, GREETING_MS, type DeviceFrame, type DeviceModel, type Hello } from '@hearth/protocol'
import { DeviceLink, type DeviceIdentity, type JobFrame, type LinkOwner, type PingIntervals } from './device-link.ts'
import type { DeviceSocket } from './device-socket.ts'

export interface HubListener {
  deviceUp(link: DeviceLink, models: readonly DeviceModel[]): void
  deviceModels(link: DeviceLink, models: readonly DeviceModel[]): void
  deviceDraining(link: DeviceLink): void
  deviceDown(link: DeviceLink): void
  jobFrame(link: DeviceLink, frame: JobFrame): void
}

export interface HubOptions {
  intervals: PingIntervals
  now?: () => number
  /** Told when a device comes or goes; for logs and the store, never awaited. */
  /** Told when a device says how far its downloads are. */
  onDownloads?: (device: DeviceIdentity) => void
  onPresence?: (device: DeviceIdentity, presence: { isLinked: boolean; app: string }) => void
}

export class Hub implements LinkOwner {
  readonly #links = new Map<string, DeviceLink>()
  readonly #greeting = new Set<DeviceLink>()
  readonly #options: HubOptions
  readonly #now: () => number
  readonly #sweep: NodeJS.Timeout
  #listener: HubListener | undefined
  #epoch = 0
  /** Links that were replaced by a newer one of the same device. */
  supersededCount = 0

  constructor(options: HubOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.#sweep = setInterval(() => this.#checkAll(), Math.min(options.intervals.busyMs, 1_000)).unref()
  }

  listen(listener: HubListener): void {
    this.#listener = listener
  }

  get linkCount(): number {
    return this.#links.size
  }

  /** The socket's messages and end go to the link that comes back. */
  accept(identity: DeviceIdentity, socket: DeviceSocket): DeviceLink {
    const link = new DeviceLink(identity, ++this.#epoch, socket, this, this.#now())
    this.#greeting.add(link)
    return link
  }

  link(device: string, epoch: number): DeviceLink | undefined {
    const link = this.#links.get(device)
    return link?.epoch === epoch ? link : undefined
  }

  /** The device's link, once it has greeted. */
  current(device: string): DeviceLink | undefined {
    return this.#links.get(device)
  }

  /** Those that have greeted. */
  linksOf(organization: string): DeviceLink[] {
    return [...this.#links.values()].filter((link) => link.identity.organization === organization)
  }

  /** A device that was removed loses its link at once, also while greeting. */
  disconnect(device: string): void {
    for (const link of [this.#links.get(device), ...this.#greeting])
      if (link?.identity.id === device) link.close(CLOSE.revoked, 'this device was removed from its organization')
  }

  /** The gateway goes away. Devices come back spread over time, not all in the same moment. */
  announceRestart(): void {
    const spreadMs = Math.max(1_000, this.#links.size * 3)
    let index = 0
    for (const link of this.#links.values())
      link.send({ type: 'restarting', reconnectInMs: Math.round((spreadMs * index++) / this.#links.size) })
  }

  close(): void {
    clearInterval(this.#sweep)
    for (const link of [...this.#links.values(), ...this.#greeting])
      link.close(CLOSE.goingAway, 'the gateway shuts down')
  }

  greeted(link: DeviceLink, hello: Hello, protocol: number): void {
    this.#greeting.delete(link)
    const { id, organization } = link.identity
    this.#supersede(id)
    this.#links.set(id, link)
    link.send({
      type: 'welcome',
      protocol,
      device: id,
      organization,
      pingBusyMs: this.#options.intervals.busyMs,
      pingIdleMs: this.#options.intervals.idleMs,
    })
    this.#options.onPresence?.(link.identity, { isLinked: true, app: hello.app })
    this.#listener?.deviceUp(link, hello.models)
  }

  frame(link: DeviceLink, frame: Exclude<DeviceFrame, Hello | { type: 'pong' }>): void {
    if (frame.type === 'models') this.#listener?.deviceModels(link, frame.models)
    else if (frame.type === 'drain') this.#listener?.deviceDraining(link)
    else if (frame.type === 'downloads') this.#options.onDownloads?.(link.identity)
    else this.#listener?.jobFrame(link, frame)
  }

  closed(link: DeviceLink, wasGreeted: boolean): void {
    this.#greeting.delete(link)
    if (!wasGreeted) return
    const isCurrent = this.#links.get(link.identity.id) === link
    if (isCurrent) this.#links.delete(link.identity.id)
    if (isCurrent) this.#options.onPresence?.(link.identity, { isLinked: false, app: '' })
    this.#listener?.deviceDown(link)
  }

  #supersede(device: string): void {
    const old = this.#links.get(device)
    if (!old) return
    this.supersededCount++
    old.close(CLOSE.superseded, 'a newer link of this device was opened')
  }

  #checkAll(): void {
    const now = this.#now()
    for (const link of this.#greeting) link.check(now, this.#options.intervals, GREETING_MS)
    for (const link of this.#links.values()) link.check(now, this.#options.intervals, GREETING_MS)
  }
}
