// Remembers which rung works, in the state folder. A rung is tried again when anything that decides about it has changed: the app, the
// engine, the driver, the card, the system, or a library.

import { readFileSync } from 'node:fs'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { RUNGS, type Problem, type Rung } from './backend.ts'

export interface Remembered {
  rung: Rung
  problems: readonly Problem[]
}

export interface LadderMemory {
  recall(): Remembered | undefined
  remember(result: Remembered): void
  forget(): void
}

/** The circumstances are asked again when there is something to remember: a package may have been installed since. */
export function createLadderMemory(path: string, circumstances: () => unknown): LadderMemory {
  const key = (): string => JSON.stringify(circumstances())
  return {
    recall() {
      const stored = read(path)
      return stored?.key === key() ? { rung: stored.rung, problems: stored.problems } : undefined
    },
    remember: (result) => write(path, { key: key(), ...result }),
    forget: () => write(path, {}),
  }
}

interface Stored extends Remembered {
  key: string
}

function read(path: string): Stored | undefined {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as Partial<Stored>
    const rung = RUNGS.find((known) => known === stored.rung)
    if (typeof stored.key !== 'string' || rung === undefined || !Array.isArray(stored.problems)) return undefined
    return { key: stored.key, rung, problems: stored.problems }
  } catch {
    return undefined
  }
}

/** A full disk costs a trial at the next start, nothing more. */
function write(path: string, content: object): void {
  try {
    writeJson(path, content, { mode: 0o600, isDurable: false })
  } catch {
    return
  }
}
