// Files in which a program notes what saves it work later. It can do without them.

import { asFields, type Fields } from '@hearth/sealing/fields'
import { readJson, writeJson } from './write-atomic.ts'

/** Empty if there are none, or the file is damaged: then the work is done again. */
export function recallNotes(path: string): Fields {
  try {
    return asFields(readJson(path))
  } catch {
    return {}
  }
}

/** A full disk must not stop the program. */
export function keepNotes(path: string, notes: object): void {
  try {
    writeJson(path, notes, { mode: 0o600, isDurable: false })
  } catch {
    return
  }
}
