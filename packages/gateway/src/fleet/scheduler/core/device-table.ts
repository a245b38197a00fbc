// Linked devices and the models they serve, in sync with the queues.

import { forgetOldest } from '../../../forget-oldest.ts'
import type { DeviceModel } from '@hearth/protocol'
import type { Ms } from '../../terms/job.ts'
import { ALL_FEATURES, NO_FEATURES, toMask, type FeatureMask } from './feature-mask.ts'
import type { ModelQueues } from './model-queues.ts'
import type { Pace } from './learned/pace.ts'
import { updateOpen } from './served-model.ts'
import { LinkedDevice, ServedModel, type ModelQueue } from './state.ts'

/** How many devices that left keep their measured speed. */
export const REMEMBERED_DEVICES = 1_024
/** Of each of them. A machine computes few models at a time, whatever it announces. */
const REMEMBERED_MODELS = 16
/** For a device that doesn't say how long it takes to load a model. */
const FIRST_GUESS_LOAD_MS = 10_000

/** Something has changed in the queue. The features are those that a device gained or lost; all of them if it serves the model for the first time. */
type OnChange = (queue: ModelQueue, features: FeatureMask) => void

export class DeviceTable {
  readonly #queues: ModelQueues
  readonly #devices = new Map<string, LinkedDevice>()
  /** Speeds by device and model; devices that left first come first. */
  readonly #speeds = new Map<string, Map<string, Pace>>()

  constructor(queues: ModelQueues) {
    this.#queues = queues
  }

  get size(): number {
    return this.#devices.size
  }

  current(device: string): LinkedDevice | undefined {
    return this.#devices.get(device)
  }

  /** Undefined if the device has a newer link. */
  find(device: string, epoch: number): LinkedDevice | undefined {
    const found = this.#devices.get(device)
    return found?.epoch === epoch ? found : undefined
  }

  all(): Iterable<LinkedDevice> {
    return this.#devices.values()
  }

  /** Nothing is known yet of what is taken there. */
  link(id: string, epoch: number, hub: string, boot: string): LinkedDevice {
    const linked = new LinkedDevice(id, epoch, hub, boot)
    this.#devices.set(id, linked)
    return linked
  }

  /** Takes the device out of all queues. The caller ends its leases. */
  unlink(device: LinkedDevice): void {
    this.#devices.delete(device.id)
    this.#remember(device)
    for (const served of device.served.values()) this.#withdraw(served)
  }

  #remember({ id, served }: LinkedDevice): void {
    const measured = [...served].filter(([, { pace }]) => pace.isMeasured).slice(0, REMEMBERED_MODELS)
    this.#speeds.delete(id)
    if (measured.length === 0) return
    this.#speeds.set(id, new Map(measured.map(([name, { pace }]) => [name, pace])))
    forgetOldest(this.#speeds, REMEMBERED_DEVICES)
  }

  /** Replaces the models of the device. One that repeats its announcement changes nothing. */
  announce(device: LinkedDevice, models: readonly DeviceModel[], now: Ms, changed: OnChange): void {
    const announced = new Map(models.filter((model) => model.slots > 0).map((model) => [model.name, model]))
    const withdrawn = [...device.served.values()].filter(({ slots, queue }) => slots > 0 && !announced.has(queue.model))
    for (const served of withdrawn) {
      this.#withdraw(served)
      if (isForgettable(served)) device.served.delete(served.queue.model)
      changed(served.queue, NO_FEATURES)
    }
    for (const model of announced.values()) this.#offerModel(device, model, now, changed)
  }

  #offerModel(
    device: LinkedDevice,
    { name, slots, features, ...model }: DeviceModel,
    now: Ms,
    changed: OnChange,
  ): void {
    const { state: presence = 'loaded', loadMs = FIRST_GUESS_LOAD_MS, contextLength, digest } = model
    const mask = toMask(features)
    const served = device.served.get(name) ?? this.#create(device, name)
    const difference = served.slots === 0 ? ALL_FEATURES : served.features ^ mask
    const isSame = served.slots === slots && served.presence === presence && served.loadMs === loadMs
    served.digest = digest
    served.contextLength = contextLength
    if (difference === NO_FEATURES && isSame) return
    if (served.slots === 0) {
      served.queue = this.#queues.open(name)
      served.queue.served.push(served)
    }
    served.slots = slots
    if (presence === 'loaded' && served.presence !== presence) noteLoaded(served, now)
    served.presence = presence
    served.loadMs = loadMs
    served.features = mask
    updateOpen(served)
    changed(served.queue, difference)
  }

  #create(device: LinkedDevice, name: string): ServedModel {
    const served = new ServedModel(device, this.#queues.open(name), this.#speeds.get(device.id)?.get(name))
    device.served.set(name, served)
    return served
  }

  #withdraw(served: ServedModel): void {
    if (served.slots === 0) return
    served.slots = 0
    updateOpen(served)
    served.queue.served.splice(served.queue.served.indexOf(served), 1)
    served.queue.memory.forget(served)
    this.#queues.tidy(served.queue)
  }
}

/** The first of several jobs that wait for the model has waited for all of the loading. */
function noteLoaded(served: ServedModel, now: Ms): void {
  if (served.loadingSince !== undefined) served.pace.hasLoaded(now - served.loadingSince)
  served.loadingSince = undefined
  served.loadedAt = now
}

/** Refusals are remembered: a device that withdraws a model for a moment would otherwise get offers for it before its pause is over. */
function isForgettable({ leased, backoffMs }: ServedModel): boolean {
  return leased === 0 && backoffMs === 0
}
