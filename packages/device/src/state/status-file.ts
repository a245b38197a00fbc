// What the running app does, for `status` and `doctor`: a file that it refreshes, so that nothing has to listen for questions.

import { readFileSync } from 'node:fs'
import type { DownloadProgress } from '../models/speed-meter.ts'
import type { JobCounts, LinkState } from '../news.ts'
import type { Permission } from '../owner/permission.ts'
import { isAlive } from '../system/process-alive.ts'
import { writeJson } from './write-atomic.ts'

export interface DeviceStatus {
  app: string
  pid: number
  startedAt: string
  updatedAt: string
  name: string
  gateway: string
  organization: string
  link: LinkState
  permission: Permission
  models: ModelStatus[]
  jobs: JobCounts
  /** A download that is under way. */
  pulling?: { label: string; progress: DownloadProgress }
}

export interface ModelStatus {
  name: string
  state: 'loading' | 'serving' | 'restarting' | 'failed' | 'stopped'
  why?: string
  slots?: number
  busy: number
  contextLength?: number
  features?: string[]
}

/** The app writes at least this often. */
export const REFRESH_MS = 5_000
/** A file older than this was left behind by an app that is gone. */
const STALE_MS = 20_000

export function writeStatus(path: string, status: DeviceStatus): void {
  writeJson(path, status, { mode: 0o600, isDurable: false })
}

/** Undefined when no app runs on this state folder. */
export function readStatus(path: string, now: Date): DeviceStatus | undefined {
  try {
    const status = JSON.parse(readFileSync(path, 'utf8')) as DeviceStatus
    const ageMs = now.getTime() - Date.parse(status.updatedAt)
    return ageMs < STALE_MS && isAlive(status.pid) ? status : undefined
  } catch {
    return undefined
  }
}
