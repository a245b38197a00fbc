// The thread that writes grammars. It answers in order, so the requests that wait are a queue.

import { Worker } from 'node:worker_threads'
import type { WrittenGrammar } from '@hearth/json-schema-grammar'
import { GrammarRejected, type GrammarRejection } from './grammar-text.ts'

export type GrammarAnswer = WrittenGrammar | { rejection: GrammarRejection }

/** Its first message. Loading its modules counts towards no grammar: it takes a minute where everything is slow. */
export const READY = 'ready'

/** Takes a GrammarRequest as JSON. Throws GrammarRejected. */
export type WriteGrammar = (request: string) => Promise<WrittenGrammar>

/** A schema within the limits needs a small part of this. */
const MEMORY_MB = 256
/** The limits count work; this one is for work that nobody thought of. A schema within them takes a second on a busy machine. */
const WRITE_MS = 30_000

interface Waiting {
  request: string
  resolve: (written: WrittenGrammar) => void
  reject: (error: unknown) => void
}

export function createGrammarThread(start: () => Worker = startWorker, limitMs = WRITE_MS): WriteGrammar {
  const thread = new GrammarThread(start, limitMs)
  return (request) => thread.write(request)
}

class GrammarThread {
  readonly #start: () => Worker
  readonly #limitMs: number
  #worker: Worker | undefined
  #isReady = false
  #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(start: () => Worker, limitMs: number) {
    this.#start = start
    this.#limitMs = limitMs
  }

  write(request: string): Promise<WrittenGrammar> {
    const { promise, resolve, reject } = Promise.withResolvers<WrittenGrammar>()
    this.#post({ request, resolve, reject })
    return promise
  }

  #post(waiting: Waiting): void {
    this.#worker ??= this.#open()
    this.#worker.postMessage(waiting.request, [])
    if (this.#waiting.push(waiting) === 1) this.#watch()
  }

  /** The first one that waits is being written. */
  #watch(): void {
    clearTimeout(this.#timer)
    if (this.#isReady && this.#waiting.length > 0) this.#timer = setTimeout(() => this.#giveUp(), this.#limitMs).unref()
  }

  /** The others begin again in a new thread. */
  #giveUp(): void {
    const [endless, ...others] = this.#waiting
    const worker = this.#worker
    this.#worker = undefined
    this.#waiting = []
    void worker?.terminate()
    const message = 'its grammar takes too long to write'
    endless?.reject(new GrammarRejected({ message, isTooLarge: true, tool: undefined }))
    for (const waiting of others) this.#post(waiting)
  }

  #open(): Worker {
    const worker = this.#start()
    this.#isReady = false
    worker.on('message', (answer: GrammarAnswer | typeof READY) => {
      // A thread that was given up may have had an answer on its way.
      if (this.#worker !== worker) return
      this.#isReady = true
      if (answer !== READY) settle(this.#waiting.shift(), answer)
      this.#watch()
    })
    worker.once('error', (error) => this.#lose(worker, error))
    worker.once('exit', () => this.#lose(worker, new Error('The thread that writes grammars has ended')))
    // After the listeners: adding one keeps the process alive again.
    worker.unref()
    return worker
  }

  #lose(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    const lost = this.#waiting
    this.#waiting = []
    clearTimeout(this.#timer)
    for (const { reject } of lost) reject(error)
  }
}

function settle(waiting: Waiting | undefined, answer: GrammarAnswer): void {
  if ('text' in answer) waiting?.resolve(answer)
  else waiting?.reject(new GrammarRejected(answer.rejection))
}

function startWorker(): Worker {
  return new Worker(new URL('./grammar-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
}
