// The process a model runs in, seen from the device app: starts it, exchanges messages with it, and tells why it exited.

import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { howItEnded, untilEnded, type End } from '@hearth/command-line/processes/child-end'
import { hearLastWord, withLifeline } from '../../../watch/lifeline.ts'
import { outOfMemoryKills } from '../../../system/out-of-memory-kills.ts'
import type { EndCause } from '../../engine.ts'
import type { LlamaOptions } from '../llama-options.ts'
import { confinement } from './confinement.ts'
import { engineEnvironment, keepingStacks, nativeThreads } from './engine-environment.ts'
import { EXIT_STUCK, type FromHost, type ToHost } from './host-messages.ts'

const HOST_FILE = fileURLToPath(new URL('./engine-host.ts', import.meta.url))
/** Loaded before everything else, so that the library finds the GPU package that the back end needs. */
export const FIND_PACKAGE_FILE = new URL('../../../gpu/find-gpu-package.ts', import.meta.url).href
/** How long a process may take to end on its own. */
const STOP_MS = 5_000
/** In megabytes. The tables of a large vocabulary take a fifth of it; the model itself is not in this heap. */
const HEAP_LIMIT = '--max-old-space-size=1536'

/** Native code that fails ends its process with others. */
const OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'])
/** Native code has no error codes, only lines that it prints. */
const OUT_OF_MEMORY = /out of memory|OutOfDeviceMemory|OutOfHostMemory|failed to allocate/i

export type ForkHost = (options: LlamaOptions) => ChildProcess

export const forkHost: ForkHost = ({ path, environment, gpu }) => {
  // It ends with the command, whose flags follow.
  const [execPath, ...words] = [...confinement([HOST_FILE, path], gpu), process.execPath]
  return fork(HOST_FILE, [], {
    serialization: 'advanced',
    execPath,
    execArgv: [...words, HEAP_LIMIT, ...(environment === undefined ? [] : ['--import', FIND_PACKAGE_FILE])],
    env: {
      ...engineEnvironment(process.env),
      ...environment,
      UV_THREADPOOL_SIZE: nativeThreads(gpu),
      GLIBC_TUNABLES: keepingStacks(process.env['GLIBC_TUNABLES']),
    },
    stdio: [...withLifeline('ignore', 'pipe')],
  })
}

export interface ProcessEnd {
  how: string
  cause: EndCause
}

export class HostProcess {
  /** Resolves with the reason when the process is gone. */
  readonly exited: Promise<ProcessEnd>
  readonly #child: ChildProcess
  readonly #killsBefore = outOfMemoryKills()
  #nativeFailure = ''
  #tookTooMuch = false

  constructor(child: ChildProcess, onMessage: (message: FromHost) => void) {
    this.#child = child
    hearLastWord(child, () => (this.#tookTooMuch = true))
    child.on('message', onMessage)
    child.stderr?.on('data', (chunk: Buffer) => this.#readErrors(chunk.toString()))
    this.exited = untilEnded(child).then((end) => this.#explain(end))
  }

  send(message: ToHost): void {
    // A process that is dying takes no more messages; its exit ends everything that waits for a reply.
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  async stop(): Promise<void> {
    this.send({ type: 'stop' })
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS)
    await this.exited
    clearTimeout(timer)
  }

  #explain(end: End): ProcessEnd {
    const how = end.name === 'exited' && end.code === EXIT_STUCK ? 'a step took too long' : howItEnded(end)
    if (this.#tookTooMuch) return { how: `${how}, out of memory: the model took far more than planned`, cause: 'crash' }
    if (this.#nativeFailure !== '')
      return {
        how: `${how}, ${this.#nativeFailure}`,
        cause: OUT_OF_MEMORY.test(this.#nativeFailure) ? 'memory' : 'crash',
      }
    if (end.name !== 'killed' || !OUTSIDE.has(end.signal)) return { how, cause: 'crash' }
    return outOfMemoryKills() === this.#killsBefore
      ? { how, cause: 'killed' }
      : { how: `${how}, out of memory: the system ended it`, cause: 'memory' }
  }

  // Keeps only lines that native code prints when it fails: anything else might quote a request. A stack trace follows, so the first counts.
  #readErrors(text: string): void {
    const failure = text.split('\n').find((line) => /GGML_ASSERT|GGML_ABORT|out of memory|CUDA error|vk::/i.test(line))
    if (failure !== undefined && this.#nativeFailure === '')
      this.#nativeFailure = failure
        .replace(/\S*[\\/](?=[\w.-]+:\d+:)/, '')
        .trim()
        .slice(0, 200)
  }
}
