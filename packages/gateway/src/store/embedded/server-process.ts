// The gateway's side of the embedded database: finds the server of a folder. Starts a keeper for it if there is none yet, and again if it is
// gone.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { StoreError } from '../database/store-error.ts'
import { findServer, type ServerNote } from './find-server.ts'
import { folderLayout, type FolderLayout } from './folder-layout.ts'

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url))
const READY = 'database is ready'
/** After a crash, a slow disk may take minutes to replay the log. */
const MOST_MS = { start: 600_000, stop: 40_000 }
/** For this long after a failed start there is no other attempt, so that a full disk does not start a process every half second. */
const RETRY_MS = 2_000
/** A server that somebody else keeps gets this long to come back before we start one: it has to outlive us. */
const COMEBACK_MS = 3_000
const LOOK_AGAIN_MS = 50

export class ServerProcess {
  readonly #layout: FolderLayout
  readonly #onNotice: (text: string) => void
  #child: ChildProcess | undefined
  #note: Promise<ServerNote> | undefined
  #hasJoined = false
  #closed = false

  constructor(folder: string, onNotice: (text: string) => void) {
    this.#layout = folderLayout(folder)
    this.#onNotice = onNotice
  }

  get passwordFile(): string {
    return this.#layout.password
  }

  /** A server that responds. */
  find(): Promise<ServerNote> {
    if (this.#closed) return Promise.reject(new StoreError('unavailable', 'The store is closed'))
    this.#note ??= this.#find()
    return this.#note
  }

  async close(): Promise<void> {
    this.#closed = true
    // Whoever asked for it hears of the error.
    await this.#note?.catch(() => undefined)
    if (this.#child) await stop(this.#child)
  }

  async #find(): Promise<ServerNote> {
    const other = await this.#findOther()
    if (other) return this.#join(other)
    try {
      return await this.#start()
    } catch (error) {
      setTimeout(() => (this.#note = undefined), RETRY_MS).unref()
      throw error
    }
  }

  async #findOther(): Promise<ServerNote | undefined> {
    const until = performance.now() + (this.#hasJoined ? COMEBACK_MS : 0)
    for (;;) {
      const other = await findServer(this.#layout)
      if (other || performance.now() >= until || this.#closed) return other
      await sleep(LOOK_AGAIN_MS)
    }
  }

  async #start(): Promise<ServerNote> {
    const child = fork(PROGRAM, [this.#layout.root, '--for-parent'], {
      execArgv: [],
      // In a group of its own, so that a signal for all processes of a terminal doesn't reach it.
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    await untilReady(child, this.#onNotice)
    const note = await findServer(this.#layout)
    if (!note) throw new StoreError('unavailable', 'The embedded database stopped right after it started')
    if (note.pid !== child.pid) return this.#join(note)
    this.#child = child
    child.once('exit', () => {
      this.#child = undefined
      this.#note = undefined
    })
    return note
  }

  /** Another process's server may disappear at any time, so the next connection looks it up again. */
  #join(note: ServerNote): ServerNote {
    this.#hasJoined = true
    queueMicrotask(() => (this.#note = undefined))
    return note
  }
}

async function untilReady(child: ChildProcess, onNotice: (text: string) => void): Promise<void> {
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2_000)))
  const ready = Promise.withResolvers<void>()
  const onLine = (line: string) => (line === READY ? ready.resolve() : onNotice(line))
  if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine)
  child.once('close', () =>
    ready.reject(new StoreError('unavailable', said.trim() || 'The embedded database did not start')),
  )
  child.once('error', (error) => ready.reject(error))
  const deadline = setTimeout(() => child.kill('SIGKILL'), MOST_MS.start)
  await ready.promise.finally(() => clearTimeout(deadline))
}

/** Closing the channel tells the keeper to stop the server and exit. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(MOST_MS.stop) })
  if (child.connected) child.disconnect()
  await exited.catch(() => child.kill('SIGKILL'))
}
