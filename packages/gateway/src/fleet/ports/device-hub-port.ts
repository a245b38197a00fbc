import type { JobOrder, Start } from '../terms/messages.ts'

/** What a gateway hears about the devices that are connected there: from jobs, and from their schedulers. */
export interface DeviceHubPort {
  /** A device is to start a job on a leased slot. */
  start(start: Start, request: string, from: string): void
  /** A device is to cancel, pause or resume a job. */
  order(device: string, epoch: number, order: JobOrder): void

  /** Report again which slots of the device are taken: leases that are on their way are void. */
  reportWanted(device: string, epoch: number): void
  /** The device has a newer link to another gateway. */
  superseded(device: string, epoch: number): void
  /** Another machine, with the credential of this one, is connected to another gateway. */
  inUse(device: string, epoch: number): void
  /** Another gateway has rejected a machine with the credential of this device. */
  contested(device: string, epoch: number, address: string): void
}
