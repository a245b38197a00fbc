// The last lines of Hearth's parts, in the data folder, for `hearth logs`. The parts never print prompts or answers, so none get here; keys and
// one-time links, such as the gateway's set-up link, are cut.

import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

const FLUSH_MS = 250
/** Of each of two files: the older one is replaced when the newer one is full. */
const MOST_BYTES = 1_000_000
const LONGEST_LINE = 2_000
/** A key, a credential or the token of a link, after the prefix that says which. */
const SECRET = /(?<=\b(?:sk|h[a-z])-hearth-)[\w-]+/g
/** More than this in one moment is not kept. */
const MOST_WAITING_LENGTH = 200_000

export function logFiles(dataFolder: string): { current: string; older: string } {
  const current = join(dataFolder, 'hearth.log')
  return { current, older: `${current}.1` }
}

export class LogFile {
  #folder: string | undefined
  #waiting = ''
  #left = 0
  #timer: NodeJS.Timeout | undefined

  /** Lines that came before are kept. */
  open(dataFolder: string): void {
    this.#folder = dataFolder
  }

  add(part: string, line: string): void {
    if (this.#waiting.length >= MOST_WAITING_LENGTH) {
      this.#left += 1
      return
    }
    this.#waiting += `${new Date().toISOString()} ${part}: ${line.replaceAll(SECRET, '…').slice(0, LONGEST_LINE)}\n`
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS).unref()
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#folder === undefined || this.#waiting === '') return
    const left = this.#left > 0 ? `${new Date().toISOString()} hearth: ${this.#left} lines were left out\n` : ''
    const text = this.#waiting + left
    this.#waiting = ''
    this.#left = 0
    write(this.#folder, text)
  }
}

/** A full disk must not stop Hearth. */
function write(folder: string, text: string): void {
  const { current, older } = logFiles(folder)
  try {
    if (sizeOf(current) + text.length > MOST_BYTES) renameSync(current, older)
    appendFileSync(current, text, { mode: 0o600 })
  } catch {
    return
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
