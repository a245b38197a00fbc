// The file that holds the gateway's key, if no setting gives one: a line for each key. There are two only while a rotation is going on, or
// after one was interrupted; which of them is in use, the database says.

import { existsSync, readFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { syncFolder } from '@hearth/command-line/files/sync-folder'
import { writeAtomic } from '@hearth/command-line/files/write-atomic'
import { oneAtATime } from '../../locks/one-at-a-time.ts'

const KEY_BYTES = 32

export class KeyFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  static newKey(): string {
    return randomBytes(KEY_BYTES).toString('base64url')
  }

  /** Empty if there is no file. */
  read(): string[] {
    if (!existsSync(this.path)) return []
    return readFileSync(this.path, 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  }

  /** Replaced in one step, and on the disk when this returns: a crash leaves the old file or the new one. */
  write(keys: readonly string[]): void {
    writeAtomic(this.path, `${keys.join('\n')}\n`, { mode: 0o600 })
    syncFolder(dirname(this.path))
  }

  /** Nobody else changes the file meanwhile. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return oneAtATime(`${this.path}.lock`, work)
  }
}
