// Reads requests that came in parts, in a thread of its own: 20 MB take a tenth of a second, and all streams of the device would stand still.

import { Worker } from 'node:worker_threads'
import { ProtocolError, type JobRequest } from '@hearth/protocol'

/** What the thread answers, in the order of the requests. */
export type ReadRequest = { request: JobRequest } | { fault: string }

export class RequestThread {
  readonly #reading: PromiseWithResolvers<JobRequest>[] = []
  #worker: Worker | undefined

  /** Throws ProtocolError if the parts together are no request. */
  read(parts: readonly string[]): Promise<JobRequest> {
    const reading = Promise.withResolvers<JobRequest>()
    this.#reading.push(reading)
    this.#worker ??= this.#start()
    this.#worker.postMessage(parts, [])
    return reading.promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('./request-worker.ts', import.meta.url))
    worker.on('message', (answer: ReadRequest) => {
      const reading = this.#reading.shift()
      // In a turn of its own: a large request took its time to come over from the thread, and takes it again to go on.
      if ('request' in answer) setImmediate(() => reading?.resolve(answer.request))
      else reading?.reject(new ProtocolError(answer.fault))
    })
    // The next request starts another thread.
    worker.once('error', () => undefined)
    worker.once('exit', () => {
      this.#worker = undefined
      const error = new Error('The thread that reads large requests has ended')
      for (const { reject } of this.#reading.splice(0)) reject(error)
    })
    // After the listeners: adding one keeps the process alive again.
    worker.unref()
    return worker
  }
}
