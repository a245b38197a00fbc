// Events of the running device, for the terminal, the log and the status file. They never contain any part of a prompt or an answer.

import type { DeviceModel } from '@hearth/protocol'

export type LinkState =
  | { name: 'connecting' }
  /** `notice` is the latest message of the gateway on this link. */
  | { name: 'linked'; gateway: string; device: string; organization: string; notice?: string }
  | { name: 'waiting'; why: string; advice?: string; delayMs: number }

export interface JobCounts {
  running: number
  answered: number
  failed: number
  /** Canceled, or returned to the gateway. */
  stopped: number
  /** Continued by other devices, because the owner wanted the machine back. */
  handedOver: number
}

/** One that this device had: how it ended, and what its client calls it. */
export interface EndedJob {
  request: string
  /** The trace that it belongs to, if the client said. */
  trace: string | undefined
  model: string
  outcome: 'answered' | 'failed' | 'stopped' | 'handedOver'
  ms: number
}

export type ModelState =
  /** Not in memory, and loaded when a job asks for it. `why` says why it left, if it was there. */
  | { name: 'loadable'; why?: string }
  | { name: 'loading'; sinceMs: number; progress?: { step: 'compiling'; done: number; total: number } }
  | { name: 'serving'; model: DeviceModel }
  /** The engine died and is starting again. */
  | { name: 'restarting'; why: string }
  | { name: 'failed'; why: string; retryInMs: number }
  | { name: 'stopped' }

/** Whether the owner's rules let this machine serve right now. */
export type Permission = { allowed: true } | { allowed: false; why: string }

export type PullNews =
  | { type: 'step'; text: string }
  | { type: 'progress'; label: string; progress: DownloadProgress }
  | { type: 'notice'; text: string }

export interface DownloadProgress {
  doneBytes: number
  /** Absent when the server doesn't say. */
  totalBytes?: number
  bytesPerSecond: number
  /** Absent while there is nothing to estimate it from. */
  secondsLeft?: number
}

export type NoticeLevel = 'good' | 'info' | 'warn'

/** Shows a line to the owner. */
export type Say = (text: string, level?: NoticeLevel) => void

export type HandOverNews =
  /** Jobs that no other device takes have `waitMs` to finish. */
  | { type: 'handing-over'; jobs: number; waitMs: number }
  /** How it went: `returned` jobs were not done in time, and `ended` ones were. */
  | { type: 'handed-over'; handedOver: number; returned: number; ended: number }

/** A local server that runs on this machine. */
export interface FoundServer {
  url: string
  /** What commands call it; `other` for one that they know only by its address. */
  product: string
  /** What people call it. */
  title: string
  /** By its own names. */
  models: string[]
  isServed: boolean
}

export type DeviceNews =
  | { type: 'link'; state: LinkState }
  | { type: 'model'; name: string; state: ModelState }
  | { type: 'jobs'; jobs: JobCounts }
  | { type: 'job-ended'; job: EndedJob }
  | { type: 'pull'; news: PullNews }
  | { type: 'permission'; permission: Permission }
  | { type: 'engine-stuck'; model: string }
  /** Requests that the model rejects for a while, because its engine crashed on each of them several times. */
  | { type: 'blocked'; model: string; requests: number; why: string; leftMs: number }
  | HandOverNews
  /** Local servers run here that the owner has not decided about. */
  | { type: 'servers-found'; servers: FoundServer[] }
  /** A warning unless it has another level. */
  | { type: 'notice'; text: string; level?: NoticeLevel }
