// Small files that are either the old ones or the new ones, never half of each. Readers need no lock.

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface WriteOptions {
  /** Permissions of the file; 0600 for what nobody else may read. */
  mode?: number
  /** False for files that are worthless after a power cut anyway; spares the disk. */
  isDurable?: boolean
}

export function writeAtomic(path: string, text: string, { mode = 0o644, isDurable = true }: WriteOptions = {}): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    writeFileSync(draft, text, { mode, flag: 'wx', flush: isDurable })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

export function writeJson(path: string, value: unknown, options?: WriteOptions): void {
  writeAtomic(path, `${JSON.stringify(value, null, 2)}\n`, options)
}

/** Undefined when there is no such file. Throws SyntaxError when it is not JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
