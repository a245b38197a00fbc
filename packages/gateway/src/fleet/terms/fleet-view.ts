// An organization's connected devices, the jobs they run and the jobs that wait, as the console sees them.

import type { DeviceBackend, DeviceModel, Download, Energy, Library, Machine, Rest } from '@hearth/protocol'

export interface FleetView {
  devices: readonly FleetDevice[]
  /** How many jobs wait, by model. Models without any are left out. */
  queued: ReadonlyMap<string, number>
}

/** A device that is connected right now. */
export interface FleetDevice {
  id: string
  /** A draining device finishes its jobs and gets no new ones. */
  state: 'linked' | 'draining'
  app: string
  engine: string
  models: readonly (DeviceModel & { running: number })[]
  downloads: readonly Download[]
  /** Undefined for devices that don't say. */
  backend: DeviceBackend | undefined
  /** Why it takes no jobs for now; undefined if it takes some, or doesn't say. */
  rest: Rest | undefined
  /** Undefined for devices that can't measure it, or don't say. */
  energy: Energy | undefined
  /** Undefined for devices whose app is too old for requests about models. */
  library: Library | undefined
  /** Undefined for devices that don't say. */
  machine: Machine | undefined
  /** The public key that requests are sealed for it with. Undefined for devices whose app is too old. */
  sealKey: string | undefined
  address: string
  /** Another machine that was rejected because it uses this device's credential. */
  conflict: Conflict | undefined
  /** How long a message takes to the device and back. Undefined until it is measured. */
  latencyMs: number | undefined
}

/** Another machine tries to use the device's credential. */
export interface Conflict {
  /** Where the other machine connects from, as far as the gateway can know. */
  address: string
  /** When it was last rejected. */
  at: Date
}

/** Which part of an organization's view has changed. */
export type FleetChange = 'devices' | 'models'
