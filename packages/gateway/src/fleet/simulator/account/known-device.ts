// A device as the scheduler should know it: the models that it has announced, and who holds its slots.

import { FEATURES, type DeviceModel, type ModelPresence } from '@hearth/protocol'
import { toMask, type FeatureMask } from '../../scheduler/core/feature-mask.ts'
import type { Ms } from '../../terms/job.ts'

/** A model as the device serves it. */
export class Served {
  slots = 0
  presence: ModelPresence = 'loaded'
  features: FeatureMask = 0
  /** The file that its tokens come from, as announced. */
  digest: string | undefined
  contextLength = 0
  held = 0
  /** No offers before this moment. */
  quietUntil: Ms = 0
  refusedAt: Ms = Number.NEGATIVE_INFINITY
  #quietMs: Ms = 0

  /** The model is in memory, or will be for another job. */
  get isPresent(): boolean {
    return this.presence !== 'loadable' || this.held > 0
  }

  get hasRoom(): boolean {
    return this.held < this.slots
  }

  /** No offers for a quarter of a second, twice as long each time, up to eight seconds. */
  refused(now: Ms): void {
    this.#quietMs = Math.min(Math.max(250, 2 * this.#quietMs), 8_000)
    this.quietUntil = now + this.#quietMs
    this.refusedAt = now
  }

  trusted(): void {
    this.#quietMs = 0
    this.quietUntil = 0
  }
}

export class KnownDevice {
  readonly id: string
  readonly organization: string
  epoch = 0
  isUp = false
  isDraining = false
  /** The device has not answered an offer in the usual time, and has been silent since. */
  isLate = false
  models: readonly DeviceModel[] = []
  /** Also models that were withdrawn while a slot was held. */
  readonly served = new Map<string, Served>()

  constructor(id: string, organization: string) {
    this.id = id
    this.organization = organization
  }

  linkUp(epoch: number, models: readonly DeviceModel[]): void {
    this.epoch = epoch
    this.isUp = true
    this.isDraining = false
    this.isLate = false
    this.served.clear()
    this.announce(models)
  }

  /** Returns the features that it gained or lost, by model; all of them for a model that it did not serve before. */
  announce(models: readonly DeviceModel[]): Map<string, FeatureMask> {
    const before = new Map<string, FeatureMask>()
    for (const [name, { slots, features }] of this.served) if (slots > 0) before.set(name, features)
    this.models = models
    for (const served of this.served.values()) served.slots = 0
    for (const model of models) this.#note(model)
    const changes = models.map(
      ({ name }) => [name, changeOf(before.get(name), this.served.get(name)!.features)] as const,
    )
    return new Map(changes.filter(([, change]) => change !== 0))
  }

  #note({ name, slots, features, state = 'loaded', digest, contextLength }: DeviceModel): void {
    const served = this.served.get(name) ?? new Served()
    this.served.set(name, served)
    served.slots = slots
    served.presence = state
    served.features = toMask(features)
    served.digest = digest
    served.contextLength = contextLength
  }

  serves(model: string): boolean {
    return (this.served.get(model)?.slots ?? 0) > 0
  }

  canServe(model: string, features: FeatureMask): boolean {
    return this.serves(model) && (features & ~(this.served.get(model)?.features ?? 0)) === 0
  }

  hasLoaded(model: string): boolean {
    return this.served.get(model)?.presence === 'loaded'
  }

  has(model: string): boolean {
    return this.served.get(model)?.isPresent === true
  }

  /** Whether the device could start such a job now. */
  isFree(model: string, features: FeatureMask, now: Ms): boolean {
    const served = this.served.get(model)
    if (!this.isUp || this.isDraining || served === undefined || !this.canServe(model, features)) return false
    return served.hasRoom && served.quietUntil <= now
  }
}

function changeOf(before: FeatureMask | undefined, now: FeatureMask): FeatureMask {
  return before === undefined ? toMask(FEATURES) : before ^ now
}
