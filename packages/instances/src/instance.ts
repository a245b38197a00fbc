// What one Hearth on this machine says about itself, as a small file. It holds no secrets.

import { text, type Fields } from '@hearth/command-line/files/fields'
import { recallNotes } from '@hearth/command-line/files/notes'
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

const NAMES = ['folder', 'url', 'startedAt', 'processStart', 'database', 'deviceHome', 'restartProblem'] as const

/** An instance that this process runs. */
export function describeInstance(about: Omit<Instance, keyof RunningProcess | 'startedAt'>): Instance {
  return { ...about, ...identifyProcess(process.pid), startedAt: new Date().toISOString() }
}

/** Undefined if there is no such file, or if it is damaged. */
export function readInstance(path: string): Instance | undefined {
  const { kind, pid, ...fields } = recallNotes(path)
  const isKnown = kind === 'hearth' || kind === 'device'
  if (!isKnown || typeof pid !== 'number') return undefined
  const { folder, url, startedAt, processStart, ...more } = textsOf(fields, NAMES)
  if (folder === undefined || url === undefined || startedAt === undefined || processStart === undefined)
    return undefined
  return { kind, folder, url, pid, processStart, startedAt, ...more }
}

function textsOf<Name extends string>(fields: Fields, names: readonly Name[]): { [name in Name]?: string } {
  const found = names.map((name) => [name, text(fields, name)]).filter(([, value]) => value !== undefined)
  return Object.fromEntries(found) as { [name in Name]?: string }
}
