// The connection of a device to a gateway. With a latency, frames arrive late and in order until it breaks, and the two ends notice that at
// different times. Without one, everything arrives at once.

import { encodeFrame, parseGatewayFrames, type DeviceFrame, type GatewayFrame } from '@hearth/protocol'
import type { DeviceSocket } from '../../fleet.ts'
import type { DeviceLink } from '../../devices/device-link.ts'
import type { Ms } from '../../terms/job.ts'
import type { Process } from '../service/process.ts'
import type { VirtualClock } from '../virtual-clock.ts'

/** The end at the device. */
interface DeviceEnd {
  opened(link: Link): void
  heard(link: Link, frame: GatewayFrame): void
  closed(link: Link): void
}

interface GatewayEnd {
  readonly process: Process
}

export class Link implements DeviceSocket {
  readonly bufferedBytes = 0
  readonly gateway: GatewayEnd
  isOpen = false
  readonly #device: DeviceEnd
  readonly #clock: VirtualClock
  readonly #latencyMs: Ms
  #connection: DeviceLink | undefined
  #isCut = false
  #isClosed = false
  readonly #toDevice: (() => void)[] = []
  readonly #toGateway: string[] = []

  constructor(device: DeviceEnd, gateway: GatewayEnd, clock: VirtualClock, latencyMs: Ms) {
    this.#device = device
    this.gateway = gateway
    this.#clock = clock
    this.#latencyMs = latencyMs
  }

  /** The gateway knows who it is. */
  accepted(accept: (socket: DeviceSocket) => DeviceLink): void {
    if (this.#isCut) return
    this.#connection = accept(this)
    this.#arriveAtDevice(() => {
      this.isOpen = true
      this.#device.opened(this)
    })
  }

  /** From the device. */
  say(frame: DeviceFrame): void {
    if (this.#isCut) return
    if (this.#latencyMs === 0) return this.#connection?.take(frame, this.#clock.now)
    this.#toGateway.push(encodeFrame(frame))
    this.#clock.after(this.#latencyMs, () => this.#arriveAtGateway())
  }

  #arriveAtGateway(): void {
    const text = this.#toGateway.shift()
    const { gateway } = this
    if (text !== undefined && !this.#isCut)
      gateway.process.live(() => this.#connection?.receive(text, gateway.process.clock.now()))
  }

  send(text: string, whenSent?: () => void): void {
    if (this.#latencyMs === 0) return this.#device.heard(this, JSON.parse(text) as GatewayFrame)
    parseGatewayFrames(text, (frame) => this.#arriveAtDevice(() => this.#device.heard(this, frame)))
    whenSent?.()
  }

  #arriveAtDevice(act: () => void): void {
    if (this.#latencyMs === 0) return act()
    this.#toDevice.push(act)
    this.#clock.after(this.#latencyMs, () => {
      const next = this.#toDevice.shift()
      if (!this.#isClosed && !this.#isCut) next?.()
    })
  }

  /** The gateway closes it. What it sent before still arrives. */
  close(): void {
    this.#arriveAtDevice(() => this.deviceNotices())
  }

  /** The network drops it. Each side notices after this time, or on its own. */
  cut(deviceMs: Ms | undefined, gatewayMs: Ms | undefined): void {
    this.#isCut = true
    if (deviceMs !== undefined) this.#clock.after(deviceMs, () => this.deviceNotices())
    if (gatewayMs !== undefined) this.#clock.after(gatewayMs, () => this.gateway.process.live(() => this.end()))
  }

  /** The gateway notices that it has ended. */
  end(): void {
    this.#connection?.ended()
  }

  deviceNotices(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.isOpen = false
    this.#device.closed(this)
  }
}
