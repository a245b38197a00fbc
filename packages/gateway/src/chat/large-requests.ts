// Prepares requests that are too large for the main thread: parsing 20 MiB takes up to a tenth of a second, and every stream would stand
// still meanwhile. One thread, one request at a time, and organizations take turns, so that none can fill the queue for the others.

import { Worker } from 'node:worker_threads'
import { RestartingThread } from '@hearth/command-line/processes/restarting-thread'
import type { PrefixScope } from '@hearth/protocol'
import { ApiError, type ApiErrorCode, type PreparedChat, type ReadLimits } from '@hearth/chat'
import { Turns } from '../turns.ts'
import type { PreparedSealed } from './prepare-sealed.ts'
import type { RequestKind } from './sealing-mode.ts'

/** In the clear or sealed. */
export type Prepared = PreparedChat | PreparedSealed

/** Sent to the thread. */
export interface LargeRequest {
  bytes: Uint8Array<ArrayBuffer>
  limits: ReadLimits
  scope: PrefixScope | undefined
  kind: RequestKind
  organization: string
}

/** Comes back from it. */
export type LargeResult =
  | { chat: Prepared }
  | { error: { code: ApiErrorCode; message: string; param: string | null; model: string | undefined } }

export interface LargeRequestsOptions {
  limits: ReadLimits
  maxBodyBytes: number
}

interface Task extends Pick<LargeRequest, 'scope' | 'kind' | 'organization'> {
  body: Buffer
  isWanted: () => boolean
  resolve: (chat: Prepared | undefined) => void
  reject: (error: unknown) => void
}

/** Parsing keeps several copies of a body at once. */
const BODIES_IN_MEMORY = 16
const MIB = 1024 * 1024

export class LargeRequests {
  readonly #options: LargeRequestsOptions
  readonly #waiting = new Turns<Task>()
  readonly #thread: RestartingThread<LargeResult>
  #current: Task | undefined

  constructor(options: LargeRequestsOptions) {
    this.#options = options
    this.#thread = new RestartingThread({
      start: () => startWorker(options.maxBodyBytes),
      name: 'for large requests',
      onAnswer: (result) => this.#settle(({ resolve, reject }) => finish(result, resolve, reject)),
      onLost: (error) => this.#settle(({ reject }) => reject(error)),
    })
  }

  /** Resolves to undefined if the request is no longer wanted when its turn comes. `body` cannot be used afterwards. */
  prepare(
    organization: string,
    body: Buffer,
    isWanted: () => boolean,
    scope?: PrefixScope,
    kind: RequestKind = 'plain',
  ): Promise<Prepared | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Prepared | undefined>()
    this.#waiting.add(organization, { body, organization, kind, scope, isWanted, resolve, reject })
    this.#next()
    return promise
  }

  async close(): Promise<void> {
    await this.#thread.end()
  }

  #next(): void {
    if (this.#current) return
    const task = this.#waiting.next()
    if (!task) return
    if (!task.isWanted()) {
      task.resolve(undefined)
      return this.#next()
    }
    this.#current = task
    const bytes = ownBytes(task.body)
    const { scope, kind, organization } = task
    const request: LargeRequest = { bytes, limits: this.#options.limits, scope, kind, organization }
    this.#thread.send(request, [bytes.buffer])
  }

  #settle(action: (task: Task) => void): void {
    const task = this.#current
    this.#current = undefined
    if (task) action(task)
    this.#next()
  }
}

function startWorker(maxBodyBytes: number): Worker {
  const maxOldGenerationSizeMb = Math.max(256, Math.ceil((BODIES_IN_MEMORY * maxBodyBytes) / MIB))
  return new Worker(new URL('./prepare-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb } })
}

function finish(result: LargeResult, resolve: Task['resolve'], reject: Task['reject']): void {
  if ('chat' in result) return resolve(result.chat)
  const { code, message, param, model } = result.error
  reject(Object.assign(new ApiError(code, message, param), { model }))
}

/** Memory that can move to the thread: the body's own, or a copy if the body is a part of something larger. */
function ownBytes({ buffer, byteOffset, length }: Buffer): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(buffer, byteOffset, length)
  return buffer instanceof ArrayBuffer && buffer.byteLength === length ? new Uint8Array(buffer) : new Uint8Array(bytes)
}
