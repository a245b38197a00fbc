import type { Machine } from '@hearth/protocol'
import type { By } from './audit.ts'

export interface DeviceStore {
  /** Throws a conflict if another device of the organization has the new name. */
  changeDevice(
    input: { organization: string; device: string; name?: string; isPaused?: boolean } & By,
  ): Promise<boolean>
  removeDevice(input: { organization: string; device: string } & By): Promise<boolean>
  listDevices(organization: string): Promise<Device[]>
  /** Written when devices connect and disconnect, never per request. An older sighting changes nothing. */
  devicesSeen(sightings: readonly Sighting[]): Promise<void>
}

export interface Sighting {
  device: string
  /** Undefined if it is not known. */
  app?: string
  machine?: Machine
  address?: string
  at: Date
}

export interface Device {
  id: string
  organization: string
  name: string
  createdAt: Date
  isPaused: boolean
  app?: string
  lastSeenAt?: Date
  /** The machine's own description of itself. */
  machine?: Machine
  /** Where it last connected from. */
  address?: string
}
