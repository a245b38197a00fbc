// Backs up once a day, in a process of its own, so that no request waits. A backup is named after the moment for which it was due: one that
// was missed is made up for at the next start, and gateways that share a folder make one together. A backup of the future, which a wrong clock
// may have left, counts neither as the newest nor as one of those that are kept, and is left alone: it may be this clock that is wrong.

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { takeFileLock } from '../locks/file-lock.ts'

const LOOK_MS = 60_000
/** After a failure. */
const AGAIN_MS = 600_000
const DAY_MS = 86_400_000
/** Clocks of gateways that share a folder differ. */
const FUTURE_MS = 3_600_000
const NAME = /^hearth-(\d{4}-\d\d-\d\dT\d\d)(\d\d)Z\.backup(\.[0-9a-f]+\.unfinished)?$/

export interface BackupScheduleOptions {
  folder: string
  /** Minutes after midnight, UTC. */
  at: number
  /** How many are kept. */
  keep: number
  /** Makes this file, or rejects. */
  backUp: (path: string) => Promise<void>
  /** `fromFuture` is how many of those there are. */
  onBackup: (state: { lastAt: number; fromFuture: number } | { error: unknown }) => void
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
  const list = () => listBackups(folder, now() + FUTURE_MS)
  const isDone = () => newestOf(list()) >= due
  try {
    const lock = isDone() ? undefined : takeFileLock(join(folder, 'lock'))
    // Done, or another gateway is at it.
    if (!lock) return
    try {
      const remove = ({ name }: Listed) => rmSync(join(folder, name), { force: true })
      // Killed before it was complete.
      list().unfinished.forEach(remove)
      if (!isDone()) await backUp(join(folder, nameOf(due)))
      list().whole.slice(keep).forEach(remove)
    } finally {
      lock.release()
    }
  } finally {
    // Also after a failure, and while others are at it: a gateway that just started doesn't know how old the newest is.
    const found = list()
    if (found.whole.length > 0) onBackup({ lastAt: newestOf(found), fromFuture: found.fromFuture.length })
  }
}

function lastMoment(now: number, minutes: number): number {
  const today = Math.floor(now / DAY_MS) * DAY_MS + minutes * 60_000
  return today <= now ? today : today - DAY_MS
}

interface Listed {
  name: string
  at: number
}

interface Backups {
  /** Newest first. */
  whole: Listed[]
  fromFuture: Listed[]
  unfinished: Listed[]
}

function newestOf({ whole }: Backups): number {
  return whole[0]?.at ?? Number.NEGATIVE_INFINITY
}

function listBackups(folder: string, future: number): Backups {
  const all = readdirSync(folder).flatMap((name) => {
    const [, hour, minute, unfinished] = NAME.exec(name) ?? []
    if (hour === undefined) return []
    const at = Date.parse(`${hour}:${minute}:00Z`)
    // There is no 99th of a month.
    return Number.isNaN(at) ? [] : [{ name, at, isWhole: unfinished === undefined }]
  })
  const whole = all.filter(({ isWhole }) => isWhole).toSorted((one, other) => other.at - one.at)
  return {
    whole: whole.filter(({ at }) => at <= future),
    fromFuture: whole.filter(({ at }) => at > future),
    unfinished: all.filter(({ isWhole }) => !isWhole),
  }
}

function nameOf(at: number): string {
  return `hearth-${new Date(at).toISOString().slice(0, 16).replace(':', '')}Z.backup`
}
