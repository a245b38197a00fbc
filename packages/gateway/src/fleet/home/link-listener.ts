import type { DeviceModel, Hello, ModelReply } from '@hearth/protocol'
import type { DeviceLink } from './device-link.ts'
import type { JobFrame } from './link.ts'
import type { OpenAttempt } from './open-attempts.ts'

/** How a link reports to the hub. */
export interface LinkListener {
  /** `protocol` is the highest version that both ends speak. */
  greeted(link: DeviceLink, hello: Hello, protocol: number): void
  /** At most a few times per second, however often the device announces. */
  modelsChanged(link: DeviceLink, models: readonly DeviceModel[]): void
  /** The device reported its downloads, its back end or the models on its disk. */
  reportChanged(link: DeviceLink): void
  modelReply(link: DeviceLink, reply: ModelReply): void
  draining(link: DeviceLink): void
  jobFrame(link: DeviceLink, frame: JobFrame, attempt: OpenAttempt): void
  closed(link: DeviceLink, wasGreeted: boolean): void
}
