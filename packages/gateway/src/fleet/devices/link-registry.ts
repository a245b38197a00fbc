// The links of the devices that are connected to this gateway, one each: the newest wins.

import { CLOSE, GREETING_MS, type DeviceModel, type Hello, type Machine } from '@hearth/protocol'
import { type Full, ByteBudget } from '@hearth/chat'
import { realClock, type Clock } from '../../time/clock.ts'
import { repeat } from '../../time/repeat.ts'
import { RELAY_BYTES, type DeviceBudgets } from '../../budget/memory-budgets.ts'
import type { CurrentLinks } from './current-links.ts'
import type { DefaultsSource } from './defaults-sender.ts'
import { DeviceLink, type JobFrames, type LinkListener } from './device-link.ts'
import type { DeviceIdentity, DeviceSocket, PingIntervals } from './link.ts'
import type { FleetChange, Conflict } from '../terms/fleet-view.ts'
import type { ModelAnswer, ModelRequest } from '../terms/messages.ts'
import { Relay } from './relay/relay.ts'
import { LEAVING, MS_PER_DIAL } from './send-away.ts'
import { describeConflict, TakeOvers } from '../terms/take-overs.ts'

/** Links of one device that may be waiting for its hello: the new one, and one that broke without the gateway noticing. */
export const MAX_GREETING = 2
const NEWER_LINK = 'a newer link of this device was opened'
const IN_USE = 'another machine uses the login of this one: run hearth-device login here to give this machine its own'

export interface LinkRegistryOptions {
  pingIntervals: PingIntervals
  /** For what devices say about themselves. */
  budgets: DeviceBudgets
  clock?: Clock
  /** For copies of models between devices. */
  relayBudget?: ByteBudget
  /** Where the defaults of models come from. Without it, devices get none. */
  defaults?: DefaultsSource
  /** Called when a device comes or goes. */
  onPresence?: (device: DeviceIdentity, presence: Presence) => void
  /** Called when a device connects or its models change. */
  onModels?: (device: DeviceIdentity, models: readonly DeviceModel[]) => void
  /** Called when a link is rejected because another machine uses the same credential. */
  onConflict?: (device: DeviceIdentity, conflict: Conflict) => void
  /** Called when there is no room for what a device says about itself. */
  onFull?: (device: DeviceIdentity, full: Full) => void
}

export interface Presence {
  isLinked: boolean
  /** The version of the device app; empty when the device is gone. */
  app: string
  /** Its machine's own description, if it gave one when it came. */
  machine?: Machine
  address: string
}

/** What hears of links. */
export interface LinkEvents extends JobFrames {
  readonly links: CurrentLinks
  /** It is here, has other models, or takes no more jobs. */
  deviceChanged(link: DeviceLink): void
  deviceDown(link: DeviceLink): void
}

export class LinkRegistry implements LinkListener {
  readonly links: CurrentLinks
  /** Links that have not said hello, by device, the oldest first. */
  readonly #greeting = new Map<string, DeviceLink[]>()
  readonly #options: LinkRegistryOptions
  readonly #clock: Clock
  readonly #stopSweep: () => void
  /** Hears when devices come, change or go, and every job frame. */
  readonly #hub: LinkEvents
  #onView: (organization: string, ...changes: readonly FleetChange[]) => void = () => undefined
  readonly #takeOvers = new TakeOvers()
  readonly relay: Relay
  /** Links that a newer link of the same device replaced. */
  supersededCount = 0
  /** Links that were rejected because another machine uses the same credential. */
  refusedCount = 0

  constructor(options: LinkRegistryOptions, hub: LinkEvents) {
    this.#options = options
    this.#hub = hub
    this.links = hub.links
    this.#clock = options.clock ?? realClock
    this.relay = new Relay({ budget: options.relayBudget ?? new ByteBudget(RELAY_BYTES) })
    this.#stopSweep = repeat(this.#clock, Math.min(options.pingIntervals.busyMs, 1_000), () => this.#checkAll())
  }

  /** Calls `listener` when something changes that the view of an organization shows. There is one listener. */
  onView(listener: (organization: string, ...changes: readonly FleetChange[]) => void): void {
    this.#onView = listener
  }

  /** Pass the socket's messages and its end to the returned link. */
  accept(identity: DeviceIdentity, epoch: number, socket: DeviceSocket): DeviceLink {
    const world = { listener: this, hub: this.#hub, clock: this.#clock, budgets: this.#options.budgets }
    const link = new DeviceLink(identity, epoch, socket, world)
    const greeting = this.#greeting.get(identity.id) ?? []
    this.#greeting.set(identity.id, [...greeting, link])
    if (greeting.length === MAX_GREETING) greeting[0]?.close(CLOSE.superseded, NEWER_LINK)
    return link
  }

  /** Asks a device about its models, if it belongs to the organization. */
  async sendModelRequest(organization: string, device: string, request: ModelRequest): Promise<ModelAnswer> {
    const link = this.links.get(device)
    return link?.identity.organization === organization ? link.sendModelRequest(request) : { kind: 'gone' }
  }

  /** Closes the link of a device that was removed, even before its hello. */
  disconnect(device: string): void {
    this.#takeOvers.forget(device)
    for (const link of [this.links.get(device), ...(this.#greeting.get(device) ?? [])])
      link?.close(CLOSE.revoked, 'this device was removed from its organization')
  }

  /** Another gateway has rejected a machine with the credential of this device. */
  contested(holder: DeviceLink, address: string): void {
    this.#takeOvers.refused(holder.identity.id, address, this.#clock.now())
    this.#tellHolder(holder)
  }

  /** Tells the devices that need to know of it. */
  defaultsChanged(models: readonly { organization: string }[]): void {
    const { defaults } = this.#options
    for (const organization of new Set(models.map((model) => model.organization)))
      for (const link of this.links.of(organization)) if (defaults) link.tellDefaults(defaults)
  }

  /** Tells devices to reconnect, each after a different delay so that they don't all come back at once. */
  announceRestart(): void {
    const spreadMs = Math.max(1_000, this.links.size * MS_PER_DIAL)
    let index = 0
    for (const link of this.links.values())
      link.send({ type: 'restarting', reconnectInMs: Math.round((spreadMs * index++) / this.links.size) })
  }

  close(): void {
    this.#stopSweep()
    for (const link of [...this.links.values(), ...this.#allGreeting()]) link.close(CLOSE.goingAway, LEAVING)
  }

  greeted(link: DeviceLink, hello: Hello, protocol: number): void {
    this.#endGreeting(link)
    const { id, organization } = link.identity
    const { boot, address } = link
    const old = this.links.get(id)
    if (old && !this.#takeOvers.allow({ device: id, holder: old.boot, boot, address }, this.#clock.now())) {
      this.turnAway(link)
      return this.#tellHolder(old)
    }
    if (old) this.supersede(old)
    this.links.add(link)
    link.conflict = this.#takeOvers.conflictOf(id, this.#clock.now())
    link.send({
      type: 'welcome',
      protocol,
      device: id,
      organization,
      pingBusyMs: this.#options.pingIntervals.busyMs,
      pingIdleMs: this.#options.pingIntervals.idleMs,
    })
    if (this.#options.defaults) link.tellDefaults(this.#options.defaults)
    const { app, machine } = hello
    this.#present(link, { isLinked: true, app, ...(machine && { machine }), address })
    this.#hub.deviceChanged(link)
    this.#options.onModels?.(link.identity, hello.models)
  }

  modelsChanged(link: DeviceLink, models: readonly DeviceModel[]): void {
    this.#changed(link)
    this.#options.onModels?.(link.identity, models)
  }

  reportChanged(link: DeviceLink): void {
    this.#onView(link.identity.organization, 'devices')
  }

  sharedChanged(link: DeviceLink): void {
    this.relay.reported(link)
  }

  draining(link: DeviceLink): void {
    this.#changed(link)
  }

  full({ identity }: DeviceLink, full: Full): void {
    this.#options.onFull?.(identity, full)
  }

  closed(link: DeviceLink, wasGreeted: boolean): void {
    if (!wasGreeted) return this.#endGreeting(link)
    this.relay.linkGone(link)
    const isCurrent = this.links.get(link.identity.id) === link
    if (isCurrent) this.links.remove(link)
    if (isCurrent) this.#present(link, { isLinked: false, app: '', address: link.address })
    this.#hub.deviceDown(link)
  }

  #changed(link: DeviceLink): void {
    this.#hub.deviceChanged(link)
    this.#onView(link.identity.organization, 'devices', 'models')
  }

  #present({ identity }: DeviceLink, presence: Presence): void {
    this.#options.onPresence?.(identity, presence)
    this.#onView(identity.organization, 'devices', 'models')
  }

  /** Another machine with the same credential is connected, here or to another gateway. */
  turnAway(link: DeviceLink): void {
    this.refusedCount++
    link.close(CLOSE.inUse, IN_USE)
  }

  /** The owner of the rejected machine learns of it from the reason, the other owner from a notice and in the console. */
  #tellHolder(holder: DeviceLink): void {
    const conflict = this.#takeOvers.conflictOf(holder.identity.id, this.#clock.now())
    if (!conflict) return
    if (holder.conflict?.address !== conflict.address) holder.send({ type: 'notice', text: describeConflict(conflict) })
    holder.conflict = conflict
    this.#options.onConflict?.(holder.identity, conflict)
    this.#onView(holder.identity.organization, 'devices')
  }

  /** The device has a newer link, here or to another gateway. */
  supersede(old: DeviceLink): void {
    this.supersededCount++
    old.close(CLOSE.superseded, NEWER_LINK)
  }

  #endGreeting(link: DeviceLink): void {
    const { id } = link.identity
    const others = (this.#greeting.get(id) ?? []).filter((other) => other !== link)
    if (others.length > 0) this.#greeting.set(id, others)
    else this.#greeting.delete(id)
  }

  #allGreeting(): DeviceLink[] {
    return [...this.#greeting.values()].flat()
  }

  #checkAll(): void {
    const now = this.#clock.now()
    for (const link of this.#allGreeting()) link.check(now, this.#options.pingIntervals, GREETING_MS)
    this.#takeOvers.tidy(now)
    for (const link of this.links.values()) {
      link.check(now, this.#options.pingIntervals, GREETING_MS)
      if (link.conflict) link.conflict = this.#takeOvers.conflictOf(link.identity.id, now)
    }
  }
}
