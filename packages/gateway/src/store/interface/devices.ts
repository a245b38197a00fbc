import type { By } from './audit.ts'

export interface DeviceStore {
  changeDevice(
    input: { organization: string; device: string; name?: string; isPaused?: boolean } & By,
  ): Promise<boolean>
  removeDevice(input: { organization: string; device: string } & By): Promise<boolean>
  listDevices(organization: string): Promise<Device[]>
  /** Written when a device connects and disconnects, never per request. */
  deviceSeen(input: { device: string; app: string; at: Date }): Promise<void>
}

export interface Device {
  id: string
  organization: string
  name: string
  createdAt: Date
  isPaused: boolean
  app?: string
  lastSeenAt?: Date
}
