// The models of simulated devices.

import { FEATURES, type DeviceModel, type ModelPresence } from '@hearth/protocol'
import type { Ms } from '../../terms/job.ts'
import type { Random } from '../random.ts'

export const FIRST_MODEL = 'small'
export const MODELS = [FIRST_MODEL, 'large', 'coder']

export function someModels(random: Random): DeviceModel[] {
  const chosen = random.some(MODELS, 0.6)
  return (chosen.length > 0 ? chosen : [FIRST_MODEL]).map((name) => ({
    name,
    contextLength: random.pick([4096, 4096, 8192]),
    ...(random.chance(0.2) ? {} : { digest: random.pick(['one', 'one', 'two']) }),
    slots: random.between(1, 4),
    features: random.chance(0.5) ? [...FEATURES] : random.some(FEATURES, 0.6),
    ...(random.chance(0.7) ? {} : { state: 'loadable' as const, loadMs: random.between(50, 4_000) }),
  }))
}

export function allModels(): DeviceModel[] {
  return MODELS.map((name) => ({ name, contextLength: 8192, digest: 'one', slots: 4, features: [...FEATURES] }))
}

/** One that can continue a reply, or not. */
export function oneModel(random: Random): DeviceModel[] {
  const model: DeviceModel = { name: FIRST_MODEL, contextLength: 4096, slots: random.between(1, 3), features: [] }
  return [random.chance(0.6) ? { ...model, features: ['resume'], digest: 'one' } : model]
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

/** The same models, one of them loaded or unloaded. */
export function withPresence(
  models: readonly DeviceModel[],
  changed: string,
  state: ModelPresence,
  loadMs: Ms = 1_000,
): DeviceModel[] {
  return models.map((model) => (model.name === changed ? { ...model, state, loadMs: model.loadMs ?? loadMs } : model))
}
