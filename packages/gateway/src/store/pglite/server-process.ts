// The gateway's side of the embedded database: finds its socket. Starts the server process if nobody serves the folder yet, and again if it
// crashed or if the process that served the folder is gone.

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { StoreError } from '../store-error.ts'
import { findServer } from './find-server.ts'
import { folderLayout, type FolderLayout } from './folder-layout.ts'
import type { ServerReport } from './server.ts'
import { watchServer } from './watch-server.ts'

const PROGRAM = fileURLToPath(new URL('./server.ts', import.meta.url))
const START_MS = 120_000
const STOP_MS = 10_000
/** For this long after a failed start there is no other attempt, so that a full disk does not start a process every half second. */
const RETRY_MS = 2_000

export class ServerProcess {
  readonly #layout: FolderLayout
  #child: ChildProcess | undefined
  #socket: Promise<string> | undefined
  #closed = false

  constructor(folder: string) {
    this.#layout = folderLayout(folder)
  }

  /** The socket of a server that responds. */
  socket(): Promise<string> {
    if (this.#closed) return Promise.reject(new StoreError('unavailable', 'The store is closed'))
    this.#socket ??= this.#find()
    return this.#socket
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#socket?.catch(() => undefined)
    if (this.#child) await stop(this.#child)
  }

  async #find(): Promise<string> {
    const other = await findServer(this.#layout)
    if (other) return this.#forget(other.socket)
    try {
      return await this.#start()
    } catch (error) {
      setTimeout(() => (this.#socket = undefined), RETRY_MS).unref()
      throw error
    }
  }

  async #start(): Promise<string> {
    const child = fork(PROGRAM, [this.#layout.root], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    const report = await firstReport(child)
    if (report.type === 'failed') throw new StoreError('unavailable', report.message)
    if (report.type === 'served-elsewhere') return this.#forget(report.socket)
    this.#child = child
    watchServer(child)
    child.once('exit', () => {
      this.#child = undefined
      this.#socket = undefined
    })
    return report.socket
  }

  /** Another process's server may disappear at any time, so the next connection looks it up again. */
  #forget(socket: string): string {
    queueMicrotask(() => (this.#socket = undefined))
    return socket
  }
}

async function firstReport(child: ChildProcess): Promise<ServerReport> {
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-2_000)))
  const ended = new AbortController()
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(START_MS)])
  child.once('exit', () => ended.abort())
  try {
    const [report] = (await once(child, 'message', { signal })) as [ServerReport]
    return report
  } catch {
    child.kill('SIGKILL')
    return {
      type: 'failed',
      message: `Cannot start the embedded database: ${said.trim() || 'its process did not respond'}`,
    }
  }
}

/** Closing the channel tells the server to close the database and exit. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) })
  if (child.connected) child.disconnect()
  await exited.catch(() => child.kill('SIGKILL'))
}
