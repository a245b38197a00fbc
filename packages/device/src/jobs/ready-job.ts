// A job whose request can be read, just before the job runner decides about it.

import type { ChatJob, DeviceFrame, ModelDefaults } from '@hearth/protocol'
import type { EngineJob } from '../engines/engine.ts'
import type { OpenLink } from '../link/run-link.ts'
import { withDefaults } from './with-defaults.ts'

export interface ReadyJob {
  request: ChatJob
  /** Takes the job's frames. */
  link: OpenLink
  /** Called once, when nothing else speaks against the job. Returns the frame that rejects it after all. */
  claim: () => DeviceFrame | undefined
  engineJob: (defaults: ModelDefaults | undefined) => EngineJob
}

export function plainJob(request: ChatJob, link: OpenLink): ReadyJob {
  return { request, link, claim: () => undefined, engineJob: (defaults) => withDefaults(request, defaults) }
}
