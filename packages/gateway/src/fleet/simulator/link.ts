// The connection of a device to a gateway: frames arrive late and in order, until it breaks. The two ends notice at different times.

import { encodeFrame, parseGatewayFrames, type DeviceFrame, type GatewayFrame } from '@hearth/protocol'
import type { DeviceConnection, DeviceSocket } from '../fleet.ts'
import type { Replica } from './replica.ts'
import type { World } from './world.ts'

export interface LinkListener {
  opened(link: DeviceWire): void
  heard(link: DeviceWire, frame: GatewayFrame): void
  closed(link: DeviceWire): void
}

export interface LinkIdentity {
  id: string
  organization: string
  name: string
}

export class DeviceWire implements DeviceSocket {
  readonly bufferedBytes = 0
  readonly replica: Replica
  readonly #world: World
  readonly #listener: LinkListener
  readonly #latencyMs: number
  #connection: DeviceConnection | undefined
  #isCut = false
  #isClosed = false
  readonly #toDevice: (() => void)[] = []
  readonly #toGateway: string[] = []

  constructor(world: World, replica: Replica, listener: LinkListener) {
    this.#world = world
    this.replica = replica
    this.#listener = listener
    this.#latencyMs = world.random.between(1, 30)
  }

  open(identity: LinkIdentity): void {
    this.replica.live(() => {
      const accepted = this.replica.fleet.accept(identity)
      accepted.then(
        (accept) => this.#accepted(accept),
        () => this.#deviceNotices(),
      )
    })
  }

  #accepted(accept: (socket: DeviceSocket) => DeviceConnection): void {
    if (this.#isCut) return
    this.#connection = accept(this)
    this.#arriveAtDevice(() => this.#listener.opened(this))
  }

  /** From the device. */
  say(frame: DeviceFrame): void {
    if (this.#isCut) return
    this.#toGateway.push(encodeFrame(frame))
    this.#world.clock.after(this.#latencyMs, () => this.#arriveAtGateway())
  }

  #arriveAtGateway(): void {
    const text = this.#toGateway.shift()!
    if (!this.#isCut) this.replica.live(() => this.#connection?.receive(text, this.replica.clock.now()))
  }

  send(text: string, whenSent?: () => void): void {
    parseGatewayFrames(text, (frame) => this.#arriveAtDevice(() => this.#listener.heard(this, frame)))
    whenSent?.()
  }

  #arriveAtDevice(act: () => void): void {
    this.#toDevice.push(act)
    this.#world.clock.after(this.#latencyMs, () => {
      const next = this.#toDevice.shift()!
      if (!this.#isClosed && !this.#isCut) next()
    })
  }

  /** The gateway closes it. What it sent before still arrives. */
  close(): void {
    this.#arriveAtDevice(() => this.#deviceNotices())
  }

  /** The network drops it. Each side notices after this time, or by itself. */
  cut(deviceMs: number | undefined, gatewayMs: number | undefined): void {
    this.#isCut = true
    const { clock } = this.#world
    if (deviceMs !== undefined) clock.after(deviceMs, () => this.#deviceNotices())
    if (gatewayMs !== undefined) clock.after(gatewayMs, () => this.replica.live(() => this.#connection?.ended()))
  }

  /** The device gives it up: the gateway hears of it later. */
  drop(): void {
    this.cut(0, this.#latencyMs)
  }

  #deviceNotices(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#listener.closed(this)
  }
}
