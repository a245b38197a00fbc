// One life of an engine's process, from its start to its exit: loads, passes jobs on, tells when it is gone.

import type { ChatJob, DeviceModel } from '@hearth/protocol'
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { EngineError, type EngineProgress } from '../../engine.ts'
import { EXIT_STUCK, readError, type FromHost, type RunOutput, type ToHost } from './host-messages.ts'
import { DEFAULT_SLOTS, type LoadOptions } from '../native/load-model.ts'
import { RunQueue } from './run-queue.ts'

const HOST_FILE = fileURLToPath(new URL('./engine-host.ts', import.meta.url))
/** How long a process may take to end by itself. */
const STOP_MS = 5_000

export type ForkHost = (options: LoadOptions) => ChildProcess

/** Sampling runs on the thread pool, one thread per slot; the decode has its own. */
export const forkHost: ForkHost = ({ model }) =>
  fork(HOST_FILE, [], {
    serialization: 'advanced',
    execArgv: [],
    env: { ...process.env, UV_THREADPOOL_SIZE: String(Math.max(4, (model.slots ?? DEFAULT_SLOTS) + 2)) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })

interface Run {
  queue: RunQueue
  report: (progress: EngineProgress) => void
}

export class HostProcess {
  /** Resolves with why the process is gone. */
  readonly exited: Promise<string>
  readonly #child: ChildProcess
  readonly #options: LoadOptions
  readonly #loaded = Promise.withResolvers<DeviceModel>()
  readonly #runs = new Map<number, Run>()
  #nextRun = 0
  #lastWords = ''

  constructor(options: LoadOptions, forkProcess: ForkHost) {
    this.#options = options
    this.#child = forkProcess(options)
    this.#loaded.promise.catch(() => undefined)
    const exited = Promise.withResolvers<string>()
    this.exited = exited.promise
    this.#child.on('message', (message: FromHost) => this.#receive(message))
    this.#child.on('error', (error) => exited.resolve(error.message))
    this.#child.on('exit', (code, signal) => exited.resolve(describeExit(code, signal, this.#lastWords)))
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#listen(chunk.toString()))
    void this.exited.then((why) => this.#fail(why))
  }

  /** Throws EngineError, or the signal's reason. */
  async load(signal: AbortSignal): Promise<DeviceModel> {
    signal.throwIfAborted()
    const { promise, reject } = Promise.withResolvers<never>()
    const onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      this.#send({ type: 'load', options: this.#options })
      return await Promise.race([this.#loaded.promise, promise])
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  run(job: ChatJob, report: (progress: EngineProgress) => void): { queue: RunQueue; cancel: () => void } {
    const run = this.#nextRun++
    const queue = new RunQueue((isPaused) => this.#send({ type: 'pause', run, isPaused }))
    this.#runs.set(run, { queue, report })
    this.#send({ type: 'run', run, job })
    return { queue, cancel: () => this.#send({ type: 'cancel', run }) }
  }

  async stop(): Promise<void> {
    this.#endRuns(new EngineError('failed', 'The engine is being stopped', { retryable: true }))
    this.#send({ type: 'stop' })
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS)
    await this.exited
    clearTimeout(timer)
  }

  #send(message: ToHost): void {
    // A process that is just dying takes nothing any more; its exit ends everything that waits.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  #receive(message: FromHost): void {
    switch (message.type) {
      case 'loaded':
        return this.#loaded.resolve(message.model)
      case 'load-failed':
        return this.#loaded.reject(readError(message.error))
      case 'outputs':
        for (const output of message.outputs) this.#receiveOutput(output)
    }
  }

  #receiveOutput(output: RunOutput): void {
    const run = this.#runs.get(output.run)
    if (run === undefined) return
    if (output.type === 'event') run.queue.push(output.event)
    else if (output.type === 'progress') run.report(output.progress)
    else {
      this.#runs.delete(output.run)
      run.queue.end(output.error && readError(output.error))
    }
  }

  #fail(why: string): void {
    const error = new EngineError('failed', `The engine stopped unexpectedly: ${why}`, {
      retryable: true,
      crashed: true,
    })
    this.#loaded.reject(error)
    this.#endRuns(error)
  }

  #endRuns(error: EngineError): void {
    for (const { queue } of this.#runs.values()) queue.end(error)
    this.#runs.clear()
  }

  // Only what native code says when it gives up: anything else might quote a request.
  #listen(text: string): void {
    const words = text
      .split('\n')
      .findLast((line) => /GGML_ASSERT|GGML_ABORT|out of memory|CUDA error|vk::/i.test(line))
    if (words !== undefined) this.#lastWords = words.trim().slice(0, 200)
  }
}

function describeExit(code: number | null, signal: NodeJS.Signals | null, lastWords: string): string {
  const how = signal ?? (code === EXIT_STUCK ? 'a step took too long' : `exit code ${code}`)
  return lastWords === '' ? how : `${how}, ${lastWords}`
}
