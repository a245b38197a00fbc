// Frames say the slots of a model in two fields; all else knows one number.

import { MAX_MORE_SLOTS, MAX_SLOTS_PER_MODEL } from '../limits.ts'
import type { DeviceModel } from './device-state.ts'

/** As a device announces it. */
export function splitSlots(model: DeviceModel): DeviceModel {
  const more = Math.min(model.slots - MAX_SLOTS_PER_MODEL, MAX_MORE_SLOTS)
  return more > 0 ? { ...model, slots: MAX_SLOTS_PER_MODEL, moreSlots: more } : model
}

/** As a gateway counts it. */
export function joinSlots({ moreSlots = 0, slots, ...model }: DeviceModel): DeviceModel {
  return { ...model, slots: slots + moreSlots }
}
