// A partial download: the bytes so far, and what is needed to resume later. It is kept next to the final location.

import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { isAlive } from '@hearth/instances'
import { StorageError } from '@hearth/command-line/errors'
import { text } from '@hearth/sealing/fields'
import { recallNotes } from '@hearth/command-line/files/notes'
import { writeJson } from '@hearth/command-line/files/write-atomic'

/** Must match for a download to resume. */
export interface Origin {
  url: string
  /** A strong ETag, or a date. */
  validator?: string
  /** Of the whole file. */
  sha256?: string
}

export class PartialFile {
  readonly path: string
  readonly target: string
  readonly #origin: string
  readonly #lock: string

  constructor(target: string) {
    this.target = target
    this.path = `${target}.partial`
    this.#origin = `${target}.partial.json`
    this.#lock = `${target}.lock`
  }

  /** Prevents two downloads into the same file. */
  lock(): Disposable {
    mkdirSync(dirname(this.target), { recursive: true })
    if (!tryLock(this.#lock)) {
      const pid = Number(readFileSync(this.#lock, 'utf8'))
      if (isAlive(pid))
        throw new StorageError(
          `${basename(this.target)} is already being downloaded by process ${pid}`,
          'wait for it, or stop it',
        )
      // It ended without removing the file.
      rmSync(this.#lock, { force: true })
      tryLock(this.#lock)
    }
    return { [Symbol.dispose]: () => rmSync(this.#lock, { force: true }) }
  }

  /** A process is downloading it right now. */
  get isLocked(): boolean {
    return existsSync(this.#lock) && isAlive(Number(readFileSync(this.#lock, 'utf8')))
  }

  get bytes(): number {
    return existsSync(this.path) ? statSync(this.path).size : 0
  }

  /** Undefined if nobody knows where the partial file came from, or it was another source without the same content. */
  origin({ url, sha256 }: { url: string; sha256?: string }): Origin | undefined {
    const known = recallNotes(this.#origin)
    if (known['url'] !== url) return sha256 !== undefined && known['sha256'] === sha256 ? { url, sha256 } : undefined
    const validator = text(known, 'validator')
    return validator === undefined ? { url } : { url, validator }
  }

  remember(origin: Origin): void {
    writeJson(this.#origin, origin)
  }

  /** Opens the file for writing at `at`. */
  async openAt(at: number): Promise<FileHandle> {
    const file = await open(this.path, at === 0 ? 'w' : 'r+')
    await file.truncate(at)
    return file
  }

  discard(): void {
    rmSync(this.path, { force: true })
    rmSync(this.#origin, { force: true })
  }

  /** Deletes the complete file too. */
  discardAll(): void {
    this.discard()
    rmSync(this.target, { force: true })
  }

  keep(): void {
    renameSync(this.path, this.target)
    rmSync(this.#origin, { force: true })
  }
}

function tryLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

export async function sha256OfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, signal })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
