// A machine to try Hearth on: a system in a folder, an image, a processor.

import { mkdtempSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Machine {
  /** `npm run machines -- debian` runs all whose names start with it. */
  name: string
  /** For the table in docs/machines.md. */
  what: string
  /** Resolves with what was seen; rejects if it is not what it should be. `words` are the rest of the command line. */
  run: (words: readonly string[]) => Promise<string>
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Everything that machines are made of. Nothing is ever mounted in it outside the namespaces of processes, so it can be removed as it is. */
export const WORK = mkdtempSync(join(tmpdir(), 'hearth-machines-'))

/** Systems that take long to make. They stay for the next run; remove the folder to make them anew. */
export const KEPT = join(homedir(), '.cache', 'hearth-machines')
