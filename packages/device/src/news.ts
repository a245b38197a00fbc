// Events of the running device, for the terminal, the log and the status file. They never contain any part of a prompt or an answer.

import type { PullNews } from './models/pull.ts'
import type { Permission } from './owner/permission.ts'
import type { ModelState } from './serving/served-model.ts'

export type LinkState =
  | { name: 'connecting' }
  | { name: 'linked'; gateway: string; device: string; organization: string }
  | { name: 'waiting'; why: string; advice?: string; delayMs: number }

export interface JobCounts {
  running: number
  answered: number
  failed: number
  /** Canceled, or returned to the gateway. */
  stopped: number
}

export type DeviceNews =
  | { type: 'link'; state: LinkState }
  | { type: 'model'; name: string; state: ModelState }
  | { type: 'jobs'; jobs: JobCounts }
  | { type: 'pull'; news: PullNews }
  | { type: 'permission'; permission: Permission }
  | { type: 'engine-stuck'; model: string }
  | { type: 'notice'; text: string }
