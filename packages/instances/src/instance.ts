// What one Hearth on this machine says about itself, as a small file. It holds no secrets.

import { present } from '@hearth/command-line/present'
import { text, word } from '@hearth/sealing/fields'
import { recallNotes } from '@hearth/command-line/files/notes'
import { identifyProcess, type RunningProcess } from './process-identity.ts'

const KINDS = ['hearth', 'gateway', 'device'] as const
type Kind = (typeof KINDS)[number]

export interface Instance extends RunningProcess {
  /** All of Hearth, as `npm start` runs it, or only a gateway, or only a device. */
  kind: Kind
  /** The folder that belongs to it alone: of a device, its state folder. */
  folder: string
  /** The folder of the embedded database. Absent if the database is elsewhere. */
  database?: string
  /** The state folder of its device. Absent if it has none. */
  deviceHome?: string
  /** Where its gateway answers on this machine, without a path. */
  url: string
  /** Where others reach it, if somebody said so. */
  publicUrl?: string
  /** The checkout that runs it. */
  program?: string
  /** The unit of systemd that runs it, if one does. */
  unit?: string
  startedAt: string
  /** Why its last restart failed. Absent if it didn't. */
  restartProblem?: string
}

/** An instance that this process runs. */
export function describeInstance(about: Omit<Instance, keyof RunningProcess | 'startedAt'>): Instance {
  return { ...about, ...identifyProcess(process.pid), startedAt: new Date().toISOString() }
}

/** Undefined if there is no such file, or if it is damaged. */
export function readInstance(path: string): Instance | undefined {
  const fields = recallNotes(path)
  const { pid } = fields
  const kind = word(fields, 'kind', KINDS)
  const read = (name: keyof Instance): string | undefined => text(fields, name)
  const [folder, url, startedAt, processStart] = [read('folder'), read('url'), read('startedAt'), read('processStart')]
  if (kind === undefined || typeof pid !== 'number') return undefined
  if (folder === undefined || url === undefined || startedAt === undefined || processStart === undefined)
    return undefined
  const more = {
    database: read('database'),
    deviceHome: read('deviceHome'),
    publicUrl: read('publicUrl'),
    program: read('program'),
    unit: read('unit'),
    restartProblem: read('restartProblem'),
  }
  return { kind, folder, url, pid, processStart, startedAt, ...present(more) }
}
