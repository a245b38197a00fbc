// Where log lines go: collected for a moment, then written to one file descriptor in one piece. Logging never stops the gateway: lines that
// nobody reads any more are dropped, and a slow reader costs a bounded amount of memory.
//
// Pino's own destination is not used: its synchronous flush repeats a failed write forever, so a gateway whose log reader had died could
// not exit.

import { write, writeSync } from 'node:fs'
import { errorCode } from '../error-code.ts'

export interface LogOutputOptions {
  fd: number
  /** Collects lines up to this many characters before it writes them without being asked to. */
  batch?: number
  /** Drops lines instead of keeping more characters than this. */
  capacity?: number
}

const BATCH = 32 * 1024
export const CAPACITY = 8 * 1024 * 1024
const RETRY_MS = 100
/** A gateway that exits gives a full pipe this many chances. */
const LAST_TRIES = 10

export class LogOutput {
  readonly #fd: number
  readonly #batch: number
  readonly #capacity: number
  #pending = ''
  #isWriting = false
  #isBroken = false
  #dropped = 0
  #onceWritten: (() => void)[] = []

  constructor({ fd, batch = BATCH, capacity = CAPACITY }: LogOutputOptions) {
    this.#fd = fd
    this.#batch = batch
    this.#capacity = capacity
  }

  write(line: string): void {
    if (this.#isBroken) return
    if (this.#pending.length + line.length > this.#capacity) this.#dropped += 1
    else this.#pending += line
    if (this.#pending.length >= this.#batch) this.flush()
  }

  /** Calls back when everything logged so far has been written or dropped. */
  flush(done?: () => void): void {
    if (done) this.#onceWritten.push(done)
    if (!this.#isWriting) this.#writePending()
  }

  /** For the very end of the process, when nothing asynchronous runs any more. */
  flushSync(): void {
    let rest = Buffer.from(this.#take())
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES && !this.#isBroken; tries += 1)
      rest = rest.subarray(this.#writeNow(rest))
  }

  #writePending(): void {
    const text = this.#take()
    if (text === '') return this.#finish()
    this.#isWriting = true
    this.#write(Buffer.from(text))
  }

  #write(rest: Buffer): void {
    write(this.#fd, rest, (error, written) => {
      if (isFull(error)) return void setTimeout(() => this.#write(rest), RETRY_MS).unref()
      if (error) return this.#giveUp()
      if (written < rest.length) return this.#write(rest.subarray(written))
      this.#isWriting = false
      // Lines that came in the meantime wait for the next batch, unless someone waits for them.
      if (this.#pending.length >= this.#batch || this.#onceWritten.length > 0 || this.#dropped > 0) this.#writePending()
    })
  }

  #writeNow(rest: Buffer): number {
    try {
      return writeSync(this.#fd, rest)
    } catch (error) {
      if (!isFull(error)) this.#isBroken = true
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
      return 0
    }
  }

  #take(): string {
    const text = this.#pending + (this.#dropped > 0 ? droppedLine(this.#dropped) : '')
    this.#pending = ''
    this.#dropped = 0
    return text
  }

  #giveUp(): void {
    this.#isBroken = true
    this.#isWriting = false
    this.#pending = ''
    this.#finish()
  }

  #finish(): void {
    for (const done of this.#onceWritten.splice(0)) done()
  }
}

function droppedLine(count: number): string {
  return `${JSON.stringify({ level: 40, msg: 'log lines dropped: nobody reads them fast enough', count })}\n`
}

function isFull(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'EAGAIN' || code === 'EBUSY'
}
