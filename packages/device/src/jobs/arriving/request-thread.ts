// Reads requests that come in parts, in a thread of its own: 20 MB take a tenth of a second, and all streams of the device would stand still.

import { Worker } from 'node:worker_threads'
import { ProtocolError, type JobRequest } from '@hearth/protocol'

/** A request while it arrives. */
export interface ArrivingRequest {
  add(text: string): void
  /** Once all parts are there. Throws ProtocolError if together they are no request. */
  read(): Promise<JobRequest>
  /** Nobody needs it any more. */
  drop(): void
}

/** Sent to the thread: a part, or what becomes of all parts so far. */
export type ForReader = { id: number } & ({ type: 'part'; text: string } | { type: 'read' } | { type: 'drop' })

/** Comes back from it. */
export type FromReader = { id: number } & ({ request: JobRequest } | { fault: string })

export class RequestThread {
  readonly #reading = new Map<number, PromiseWithResolvers<JobRequest>>()
  #worker: Worker | undefined
  #lastId = 0

  begin(): ArrivingRequest {
    const id = ++this.#lastId
    const worker = (this.#worker ??= this.#start())
    const post = (message: ForReader): void => worker.postMessage(message, [])
    return {
      add: (text) => post({ id, type: 'part', text }),
      read: () => {
        const reading = Promise.withResolvers<JobRequest>()
        if (this.#worker === worker) this.#reading.set(id, reading)
        else reading.reject(lost())
        post({ id, type: 'read' })
        return reading.promise
      },
      drop: () => post({ id, type: 'drop' }),
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./request-worker.ts', import.meta.url))
    worker.unref()
    worker.on('message', (answer: FromReader) => {
      const reading = this.#reading.get(answer.id)
      this.#reading.delete(answer.id)
      if ('request' in answer) reading?.resolve(answer.request)
      else reading?.reject(new ProtocolError(answer.fault))
    })
    worker.once('error', () => this.#lose(worker))
    worker.once('exit', () => this.#lose(worker))
    return worker
  }

  /** The next request starts another thread. */
  #lose(worker: Worker): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const { reject } of this.#reading.values()) reject(lost())
    this.#reading.clear()
  }
}

function lost(): Error {
  return new Error('The thread that reads large requests has ended')
}
