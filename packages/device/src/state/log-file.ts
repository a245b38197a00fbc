// The last lines that a program printed, as a file, for `hearth-device logs` and `hearth logs`. Nothing of ours prints prompts or answers, so none
// get here; keys and one-time links, such as the gateway's set-up link, are cut.

import { appendFileSync, renameSync, statSync } from 'node:fs'

const FLUSH_MS = 250
/** Of each of two files: the older one is replaced when the newer one is full. */
const MOST_BYTES = 1_000_000
const LONGEST_LINE = 2_000
/** A key, a credential or the token of a link, after the prefix that says which. */
const SECRET = /(?<=\b(?:sk|h[a-z])-hearth-)[\w-]+/g
/** More than this in one moment is not kept. */
const MOST_WAITING_LENGTH = 200_000

/** The lines from before, when the file was full. */
export function olderLog(path: string): string {
  return `${path}.1`
}

export class LogFile {
  #path: string | undefined
  #waiting = ''
  #left = 0
  #timer: NodeJS.Timeout | undefined

  /** Lines that came before are kept. */
  open(path: string): void {
    this.#path = path
  }

  /** The label is the part of Hearth that printed the line, or how bad it is. */
  add(label: string, line: string): void {
    if (this.#waiting.length >= MOST_WAITING_LENGTH) {
      this.#left += 1
      return
    }
    this.#waiting += `${new Date().toISOString()} ${label}: ${line.replaceAll(SECRET, '…').slice(0, LONGEST_LINE)}\n`
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#path === undefined || this.#waiting === '') return
    const left = this.#left > 0 ? `${new Date().toISOString()} hearth: ${this.#left} lines were left out\n` : ''
    const text = this.#waiting + left
    this.#waiting = ''
    this.#left = 0
    write(this.#path, text)
  }
}

/** A full disk must not stop Hearth. */
function write(path: string, text: string): void {
  try {
    if (sizeOf(path) + text.length > MOST_BYTES) renameSync(path, olderLog(path))
    appendFileSync(path, text, { mode: 0o600 })
  } catch {
    return
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
