// A real device app that serves the tiny model in home.

import { startDeviceProcess, type DeviceProcess, type DeviceProcessOptions } from './processes/device-process.ts'
import type { System } from './start-system.ts'
import { TINY_PATH } from './tiny-model.ts'

export interface TinyDeviceOptions extends Pick<DeviceProcessOptions, 'flags' | 'environment'> {
  /** Other models that the organization enables, which the test adds. */
  others?: readonly string[]
}

/** `model` is the name that the tiny model gets. Resolves when it is ready. */
export async function startTinyDevice(
  system: System,
  model: string,
  { others = [], ...options }: TinyDeviceOptions = {},
): Promise<DeviceProcess> {
  const token = await system.enrolmentToken(model, ...others)
  return startDeviceProcess({ origin: system.origin, token, model: { path: TINY_PATH, name: model }, ...options })
}
