// An organization's connected devices, the jobs they run and the jobs that wait, as the console sees them.

import type {
  DeviceBackend,
  DeviceModel,
  Download,
  Energy,
  Hello,
  Library,
  Machine,
  Rest,
  SharedModel,
} from '@hearth/protocol'

export interface FleetView {
  devices: readonly FleetDevice[]
  /** How many jobs wait, by model. Models without any are left out. */
  queued: ReadonlyMap<string, number>
}

/** A device's latest report about itself, besides the models that it serves. Older devices leave much of it out. */
export interface DeviceReport {
  readonly downloads: readonly Download[]
  /** Where the device's models compute. */
  readonly backend: DeviceBackend | undefined
  /** Why it takes no jobs for now; undefined if it takes some. */
  readonly rest: Rest | undefined
  /** The electricity that the machine takes; undefined if it can't measure any. */
  readonly energy: Energy | undefined
  /** The models on the device's disk; undefined if its app is too old for requests about models. */
  readonly library: Library | undefined
  /** The models that the device gives to others of its organization. */
  readonly shared: readonly SharedModel[]
}

/** A device that is connected right now. */
export interface FleetDevice extends Omit<DeviceReport, 'shared'>, Pick<Hello, 'app' | 'engine'> {
  id: string
  /** A draining device finishes its jobs and gets no new ones. */
  state: 'linked' | 'draining'
  models: readonly (DeviceModel & { running: number })[]
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
