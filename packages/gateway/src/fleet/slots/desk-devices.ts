// The devices of one organization at its scheduler: the gateway that each is connected to, and the models that take jobs.

import { TakeOvers } from '../terms/take-overs.ts'
import type { Lessor } from './core/lessor.ts'
import type { DeviceStatement, Message } from '../terms/messages.ts'

export interface DeskDevicesOptions {
  lessor: Lessor
  send: (to: string, message: Message) => void
  /** Called when another set of models takes jobs. */
  onServed: (models: readonly string[]) => void
}

interface DeskDevice {
  home: string
  epoch: number
  /** Its home can't be reached, and has not stated it since. */
  isAway: boolean
  boot: string
  /** The models that it takes jobs for. */
  models: readonly string[]
}

export class DeskDevices {
  readonly #options: DeskDevicesOptions
  readonly #devices = new Map<string, DeskDevice>()
  /** How many devices take jobs for each model. */
  readonly #counts = new Map<string, number>()
  readonly #takeOvers = new TakeOvers()

  constructor(options: DeskDevicesOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#devices.size === 0
  }

  get served(): readonly string[] {
    return [...this.#counts.keys()]
  }

  homeOf(device: string, epoch: number): string | undefined {
    const found = this.#devices.get(device)
    return found?.epoch === epoch ? found.home : undefined
  }

  /** The gateway can't be reached: nothing is leased on its devices until it states them anew. */
  setAway(home: string): void {
    for (const [device, known] of this.#devices) {
      if (known.home !== home) continue
      known.isAway = true
      this.#options.lessor.deviceAway(device, known.epoch)
    }
  }

  /** The gateway has stated all its devices, or is gone with them. */
  dropAway(home: string, now: number): void {
    for (const [device, known] of this.#devices)
      if (known.home === home && known.isAway) this.down(device, known.epoch, now)
  }

  announce(home: string, stated: DeviceStatement, now: number): void {
    const { device, epoch, boot } = stated
    const known = this.#devices.get(device)
    if (known !== undefined && known.epoch > epoch) return this.#supersede(home, device, epoch)
    const old = known?.home === home ? undefined : known
    if (old !== undefined && !this.#mayReplace(old, stated, now)) return this.#refuse(home, old, stated)
    this.#devices.set(device, { home, epoch, isAway: false, boot, models: servedBy(stated) })
    this.#count(known?.models ?? [], servedBy(stated))
    this.#options.lessor.stated(stated, now)
    // Last: if the old link is at this gateway, it goes down at once, and must find the new one in its place.
    if (old !== undefined) this.#supersede(old.home, device, old.epoch)
  }

  down(device: string, epoch: number, now: number): void {
    const known = this.#devices.get(device)
    if (known?.epoch !== epoch) return
    this.#devices.delete(device)
    this.#count(known.models, [])
    this.#options.lessor.deviceDown(device, epoch, now)
  }

  #supersede(home: string, device: string, epoch: number): void {
    this.#options.send(home, { type: 'superseded', device, epoch })
  }

  /** A home decides that on its own if both links are its own. */
  #mayReplace(known: DeskDevice, { device, boot, address }: DeviceStatement, now: number): boolean {
    this.#takeOvers.tidy(now)
    return this.#takeOvers.allow({ device, holder: known.boot, boot, address }, now)
  }

  #refuse(home: string, known: DeskDevice, { device, epoch, address }: DeviceStatement): void {
    this.#options.send(home, { type: 'in-use', device, epoch })
    this.#options.send(known.home, { type: 'contested', device, epoch: known.epoch, address })
  }

  #count(before: readonly string[], after: readonly string[]): void {
    const size = this.#counts.size
    for (const model of after) this.#counts.set(model, (this.#counts.get(model) ?? 0) + 1)
    let isNew = this.#counts.size !== size
    for (const model of before) if (this.#leaves(model)) isNew = true
    if (isNew) this.#options.onServed(this.served)
  }

  #leaves(model: string): boolean {
    const left = (this.#counts.get(model) ?? 0) - 1
    if (left > 0) this.#counts.set(model, left)
    else this.#counts.delete(model)
    return left <= 0
  }
}

function servedBy({ models, isDraining }: DeviceStatement): readonly string[] {
  return isDraining ? [] : models.filter(({ slots }) => slots > 0).map(({ name }) => name)
}
