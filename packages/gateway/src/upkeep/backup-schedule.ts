// Backs up once a day, in a process of its own, so that no request waits. A backup is named after the moment for which it was due: one that
// was missed is made up for at the next start, and gateways that share a folder make one together.

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { takeFileLock } from '../locks/file-lock.ts'

const LOOK_MS = 60_000
/** After a failure. */
const AGAIN_MS = 600_000
const DAY_MS = 86_400_000
const NAME = /^hearth-(\d{4}-\d\d-\d\dT\d\d)(\d\d)Z\.backup(\.[0-9a-f]+\.unfinished)?$/

export interface BackupScheduleOptions {
  folder: string
  /** Minutes after midnight, UTC. */
  at: number
  /** How many are kept. */
  keep: number
  /** Makes this file, or rejects. */
  backUp: (path: string) => Promise<void>
  onBackup: (state: { lastAt: number } | { error: unknown }) => void
  now?: () => number
  /** Resolves with false when it should end. */
  pause: (ms: number) => Promise<boolean>
}

export async function keepBackups(options: BackupScheduleOptions): Promise<void> {
  for (let waitMs = 0; await options.pause(waitMs);)
    try {
      await backUpIfDue(options)
      waitMs = LOOK_MS
    } catch (error) {
      options.onBackup({ error })
      waitMs = AGAIN_MS
    }
}

async function backUpIfDue({
  folder,
  at,
  keep,
  backUp,
  onBackup,
  now = Date.now,
}: BackupScheduleOptions): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const due = lastMoment(now(), at)
  if (newestIn(folder) < due) {
    const lock = takeFileLock(join(folder, 'lock'))
    // Another gateway is at it.
    if (!lock) return
    try {
      // Killed before it was complete.
      for (const { name } of listBackups(folder, 'unfinished')) rmSync(join(folder, name), { force: true })
      if (newestIn(folder) < due) await backUp(join(folder, nameOf(due)))
      for (const { name } of listBackups(folder, 'whole').slice(keep)) rmSync(join(folder, name), { force: true })
    } finally {
      lock.release()
    }
  }
  onBackup({ lastAt: newestIn(folder) })
}

function lastMoment(now: number, minutes: number): number {
  const today = Math.floor(now / DAY_MS) * DAY_MS + minutes * 60_000
  return today <= now ? today : today - DAY_MS
}

function newestIn(folder: string): number {
  return listBackups(folder, 'whole')[0]?.at ?? Number.NEGATIVE_INFINITY
}

/** Newest first. */
function listBackups(folder: string, kind: 'whole' | 'unfinished'): { name: string; at: number }[] {
  const all = readdirSync(folder).flatMap((name) => {
    const [, hour, minute, unfinished] = NAME.exec(name) ?? []
    const isListed = hour !== undefined && (unfinished === undefined) === (kind === 'whole')
    return isListed ? [{ name, at: Date.parse(`${hour}:${minute}:00Z`) }] : []
  })
  return all.toSorted((one, other) => other.at - one.at)
}

function nameOf(at: number): string {
  return `hearth-${new Date(at).toISOString().slice(0, 16).replace(':', '')}Z.backup`
}
