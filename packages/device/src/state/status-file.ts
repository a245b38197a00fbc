// The running app's status, for `status` and `doctor`. It is a file that the app keeps up to date, so the app doesn't have to listen for
// requests.

import { isAlive } from '@hearth/instances'
import type { Fingerprint } from '@hearth/sealing'
import type { DownloadProgress, FoundServer, JobCounts, LinkState, Permission } from '../news.ts'
import { recallNotes } from '@hearth/command-line/files/notes'
import { writeJson } from '@hearth/command-line/files/write-atomic'

export interface DeviceStatus {
  app: string
  pid: number
  startedAt: string
  updatedAt: string
  name: string
  gateway: string
  organization: string
  link: LinkState
  /** When it tries to connect again, while it is not connected. Absent in files of older apps. */
  retryAt?: string
  permission: Permission
  /** Whether administrators may change models and chat templates from the console. Absent in files of older apps. */
  remoteChanges?: Permission
  /** Where models compute, and which better back ends can't be used. Absent until a model was loaded. */
  backend?: BackendStatus
  /** Whether it takes sealed requests. Absent in files of older apps. */
  seal?: SealStatus
  models: ModelStatus[]
  /** Local servers that were found at the start. Absent until the app has looked, and in files of older apps. */
  servers?: FoundServer[]
  jobs: JobCounts
  /** The download in progress, if any. */
  pulling?: { label: string; progress: DownloadProgress; /** Who asked for it in the console. */ by?: string }
}

/** The fingerprint of the key that requests are sealed with, or why there is none. */
export type SealStatus = { fingerprint: Fingerprint } | { problem: string }

export interface BackendStatus {
  rung: string
  card?: string
  driver?: string
  problems: readonly { rung: string; why: string; remedy: string }[]
}

export interface ModelStatus {
  name: string
  state: 'loadable' | 'loading' | 'serving' | 'restarting' | 'failed' | 'stopped'
  why?: string
  /** Of a model that is loading, if it takes unusually long. */
  progress?: { step: 'compiling'; done: number; total: number }
  slots?: number
  busy: number
  contextLength?: number
  features?: string[]
  /** How long it stays in memory when idle: `30m`, `always`, `never`. Absent for models of local servers. */
  keepAlive?: string
  /** Requests that it rejects because its engine crashed on them, and until when. Absent if there are none. */
  blocked?: { requests: number; why: string; until: string }
}

/** The app writes at least this often. */
export const REFRESH_MS = 5_000
/** A file older than this was left behind by an app that has ended. */
const STALE_MS = 20_000

export function writeStatus(path: string, status: DeviceStatus): void {
  writeJson(path, status, { mode: 0o600, isDurable: false })
}

/** Undefined if no app is running on this state folder. */
export function readStatus(path: string, now: Date): DeviceStatus | undefined {
  // The app removes the file when it ends.
  const status = recallNotes(path) as unknown as DeviceStatus
  const ageMs = now.getTime() - Date.parse(status.updatedAt)
  return ageMs < STALE_MS && isAlive(status.pid) ? status : undefined
}
