// Remembers which rung works, in the state folder. A rung is tried again when anything that decides about it has changed: the app, the
// engine, the driver, the card, the system, or a library.

import { keepNotes, recallNotes } from '@hearth/command-line/files/notes'
import { text, word } from '@hearth/sealing/fields'
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
    remember: (result) => keepNotes(path, { key: key(), ...result }),
    forget: () => keepNotes(path, {}),
  }
}

interface Stored extends Remembered {
  key: string
}

function read(path: string): Stored | undefined {
  const notes = recallNotes(path)
  const key = text(notes, 'key')
  const rung = word(notes, 'rung', RUNGS)
  const { problems } = notes
  if (key === undefined || rung === undefined || !Array.isArray(problems)) return undefined
  return { key, rung, problems }
}
