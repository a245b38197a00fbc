// A device that is online and takes models, and what a test changes about it.

import type { Schemas } from '../../../../api/client.ts'
import { machineOf, type DeviceMachine } from '../device-machine.ts'

type Device = Schemas['Device']

export const GB = 1_000_000_000
export const RYZEN = { processor: 'AMD Ryzen 7 5800X 8-Core Processor', cores: 16, memoryBytes: 32 * GB, gpu: null }
/** Needs 6 GB of memory with a short context. */
const SIZE = { bytes: 5 * GB, parameters: 8, activeParameters: 8, contextBytesPerToken: 195_312 }
export const EIGHT = { name: 'qwen3:8b', ...SIZE }

export function standInMachine(
  library: Partial<NonNullable<Device['library']>> | null = {},
  more: object = {},
  known: readonly object[] = [EIGHT],
): DeviceMachine {
  const open = { isOpen: true, why: null, diskFreeBytes: 100 * GB, memoryBytes: 24 * GB, models: [] }
  const device = {
    name: 'd',
    state: 'linked',
    isPaused: false,
    models: [],
    downloads: [],
    machine: null,
    backend: null,
  }
  const changed = { ...device, library: library && { ...open, ...library }, ...more }
  return machineOf(changed as unknown as Device, known as Schemas['ListedModel'][])
}
