// A simulated device: the models it serves, and the world's own account of its slots.

import { FEATURES, type DeviceModel, type ModelPresence } from '@hearth/protocol'
import { toMask, type FeatureMask } from '../../scheduler/core/choice/feature-mask.ts'
import type { LinkedDevice, Ms } from '../../scheduler/core/types.ts'
import type { Random } from '../random.ts'

/** A model as the device serves it, with what the scheduler should know about it. */
export class Served {
  slots = 0
  presence: ModelPresence = 'loaded'
  loadMs: Ms = 0
  features: FeatureMask = 0
  /** The file that its tokens come from, as announced. */
  digest: string | undefined
  contextLength = 0
  held = 0
  /** No offers before this moment. */
  quietUntil: Ms = 0
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
  }

  trusted(): void {
    this.#quietMs = 0
    this.quietUntil = 0
  }
}

export class Device {
  readonly id: string
  readonly organization: string
  epoch = 0
  isUp = false
  isDraining = false
  /** It has not answered an offer in the usual time, and nothing since. */
  isLate = false
  frozenUntil: Ms = 0
  models: DeviceModel[] = []
  /** Also models that were withdrawn while a slot was held. */
  readonly served = new Map<string, Served>()
  /** Time between two tokens. */
  readonly tokenMs: Ms
  readonly promptMs: Ms

  constructor(id: string, organization: string, random: Random) {
    this.id = id
    this.organization = organization
    this.tokenMs = random.between(1, 30)
    this.promptMs = random.between(1, 800)
  }

  get linked(): LinkedDevice {
    const { id, epoch, organization, models } = this
    return { device: id, epoch, organization, models }
  }

  /** Returns the features that it gained or lost, by model; all of them for a model that it did not serve before. */
  announce(models: DeviceModel[]): Map<string, FeatureMask> {
    const before = new Map(
      [...this.served].filter(([name]) => this.serves(name)).map(([name, { features }]) => [name, features]),
    )
    this.models = models
    for (const served of this.served.values()) served.slots = 0
    for (const { name, slots, features, state = 'loaded', loadMs = 0, digest, contextLength } of models) {
      const served = this.served.get(name) ?? new Served()
      this.served.set(name, served)
      served.slots = slots
      served.presence = state
      served.loadMs = loadMs
      served.features = toMask(features)
      served.digest = digest
      served.contextLength = contextLength
    }
    return new Map(models.map(({ name }) => [name, changeOf(before.get(name), this.served.get(name)!.features)]))
  }

  linkUp(): void {
    this.epoch += 1
    this.isUp = true
    this.isDraining = false
    this.isLate = false
    this.served.clear()
    this.announce(this.models)
  }

  serves(model: string): boolean {
    return (this.served.get(model)?.slots ?? 0) > 0
  }

  canServe(model: string, features: FeatureMask): boolean {
    return this.serves(model) && (features & ~this.served.get(model)!.features) === 0
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

/** The same models, one of them with a feature more or less. */
export function toggleFeature(models: readonly DeviceModel[], random: Random): DeviceModel[] {
  const chosen = random.pick(models)
  const toggled = random.pick(FEATURES)
  const features = chosen.features.includes(toggled)
    ? chosen.features.filter((feature) => feature !== toggled)
    : [...chosen.features, toggled]
  return models.map((model) => (model === chosen ? { ...model, features } : model))
}

export function someModels(names: readonly string[], random: Random): DeviceModel[] {
  const chosen = random.some(names, 0.6)
  return (chosen.length > 0 ? chosen : [names[0]!]).map((name) => ({
    name,
    contextLength: random.pick([4096, 4096, 8192]),
    ...(random.chance(0.2) ? {} : { digest: random.pick(['one', 'one', 'two']) }),
    slots: random.between(1, 4),
    features: random.chance(0.5) ? [...FEATURES] : random.some(FEATURES, 0.6),
    ...(random.chance(0.7) ? {} : { state: 'loadable' as const, loadMs: random.between(50, 4_000) }),
  }))
}

/** The same models, one of them loaded or unloaded. */
export function withPresence(
  models: readonly DeviceModel[],
  changed: string,
  state: ModelPresence,
  loadMs: Ms = 1_000,
): DeviceModel[] {
  return models.map((model) => (model.name === changed ? { ...model, state, loadMs: model.loadMs ?? loadMs } : model))
}

export function allModels(names: readonly string[]): DeviceModel[] {
  return names.map((name) => ({ name, contextLength: 8192, digest: 'one', slots: 4, features: [...FEATURES] }))
}
