// The thread that writes grammars. It answers in order, so the requests that wait are a queue.

import { Worker } from 'node:worker_threads'
import { GrammarRefused, type GrammarRefusal } from './grammar-text.ts'

export type WrittenGrammar = { text: string } | { refusal: GrammarRefusal }

/** Takes a GrammarRequest as JSON. Throws GrammarRefused. */
export type WriteGrammar = (request: string) => Promise<string>

/** A schema within the limits needs a small part of this. */
const MEMORY_MB = 256

interface Waiting {
  resolve: (text: string) => void
  reject: (error: unknown) => void
}

export function createGrammarThread(start: () => Worker = startWorker): WriteGrammar {
  const thread = new GrammarThread(start)
  return (request) => thread.write(request)
}

class GrammarThread {
  readonly #start: () => Worker
  #worker: Worker | undefined
  #waiting: Waiting[] = []

  constructor(start: () => Worker) {
    this.#start = start
  }

  write(request: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.#worker ??= this.#open()
    this.#waiting.push({ resolve, reject })
    this.#worker.postMessage(request, [])
    return promise
  }

  #open(): Worker {
    const worker = this.#start()
    worker.unref()
    worker.on('message', (written: WrittenGrammar) => settle(this.#waiting.shift(), written))
    worker.once('error', (error) => this.#lose(worker, error))
    worker.once('exit', () => this.#lose(worker, new Error('The thread that writes grammars has ended')))
    return worker
  }

  #lose(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const lost = this.#waiting
    this.#waiting = []
    for (const { reject } of lost) reject(error)
  }
}

function settle(waiting: Waiting | undefined, written: WrittenGrammar): void {
  if ('text' in written) waiting?.resolve(written.text)
  else waiting?.reject(new GrammarRefused(written.refusal))
}

function startWorker(): Worker {
  return new Worker(new URL('./grammar-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
}
