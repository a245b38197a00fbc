// What one Hearth on this machine says about itself, as a small file. It holds no secrets.

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { identifyProcess, type RunningProcess } from './process-identity.ts'

export interface Instance extends RunningProcess {
  /** All of Hearth, as `npm start` runs it, or only a device. */
  kind: 'hearth' | 'device'
  /** The folder that belongs to it alone: of a device, its state folder. */
  folder: string
  /** The folder of the embedded database. Absent if the database is elsewhere. */
  database?: string
  /** The state folder of its device. Absent if it has none. */
  deviceHome?: string
  /** Where its gateway answers, without a path. */
  url: string
  startedAt: string
  /** Why its last restart failed. Absent if it didn't. */
  restartProblem?: string
}

/** An instance that this process runs. */
export function describeInstance(about: Omit<Instance, keyof RunningProcess | 'startedAt'>): Instance {
  return { ...about, ...identifyProcess(process.pid), startedAt: new Date().toISOString() }
}

/** Others see the old file or the new one, never a part of it. */
export function writeInstance(path: string, instance: Instance): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = writeDraft(path, instance)
  renameSync(draft, path)
}

/** A complete file under a name that nobody looks for. */
export function writeDraft(path: string, instance: Instance): string {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    writeFileSync(draft, `${JSON.stringify(instance, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    return draft
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Undefined if there is no such file, or if it is damaged. */
export function readInstance(path: string): Instance | undefined {
  try {
    return parseInstance(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

function parseInstance(value: unknown): Instance | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Partial<Record<keyof Instance, unknown>>
  const { kind, pid } = fields
  const text = (name: keyof Instance) => (typeof fields[name] === 'string' ? fields[name] : undefined)
  const [folder, url, startedAt, processStart] = [text('folder'), text('url'), text('startedAt'), text('processStart')]
  const [database, deviceHome, restartProblem] = [text('database'), text('deviceHome'), text('restartProblem')]
  if ((kind !== 'hearth' && kind !== 'device') || typeof pid !== 'number') return undefined
  if (folder === undefined || url === undefined || startedAt === undefined || processStart === undefined)
    return undefined
  return {
    kind,
    folder,
    url,
    pid,
    processStart,
    startedAt,
    ...(database !== undefined && { database }),
    ...(deviceHome !== undefined && { deviceHome }),
    ...(restartProblem !== undefined && { restartProblem }),
  }
}
