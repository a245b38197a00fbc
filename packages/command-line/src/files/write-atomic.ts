// Replaces small files atomically: a reader sees either the old content or the new, never a mix, and needs no lock.

import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface WriteOptions {
  /** File permissions; 0600 for secrets. */
  mode?: number
  /** False for files that are worthless after a power failure anyway; it saves a disk flush. */
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

/** Undefined if the file doesn't exist. Throws SyntaxError if it is not JSON. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
