// The greeting of this device, and the models in it.

import { MAX_MODELS_PER_DEVICE, PROTOCOL_VERSIONS, type DeviceModel, type Feature, type Hello } from '@hearth/protocol'
import { APP_VERSION } from '../version.ts'

export function makeHello(about: Pick<Hello, 'boot' | 'engine' | 'models' | 'machine' | 'sealKey'>): Hello {
  return { type: 'hello', protocols: [...PROTOCOL_VERSIONS], app: APP_VERSION, ...about }
}

/** With the features that the app adds to those of every engine, and without those that it hides. */
export function announcedModels(
  models: readonly DeviceModel[],
  { added, hidden }: { added: readonly Feature[]; hidden: readonly Feature[] },
): DeviceModel[] {
  return models.slice(0, MAX_MODELS_PER_DEVICE).map((model) => ({
    ...model,
    features: [...model.features, ...added].filter((feature) => !hidden.includes(feature)),
  }))
}
