import type { DeviceHubPort } from './device-hub-port.ts'
import type { JobsPort } from './jobs-port.ts'
import type { SchedulerPort } from './scheduler-port.ts'

/** The parts of one gateway. */
export interface GatewayParts {
  /** The jobs that came in there. */
  readonly jobs: JobsPort
  /** The organizations whose slots it leases. */
  readonly schedulers: SchedulerPort
  /** The devices that are connected to it. */
  readonly hub: DeviceHubPort
}
