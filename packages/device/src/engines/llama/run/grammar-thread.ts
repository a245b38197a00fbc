// The thread that writes grammars. It answers in order, so the requests that wait are a queue.

import { Worker } from 'node:worker_threads'
import { RestartingThread } from '@hearth/command-line/processes/restarting-thread'
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
  readonly #thread: RestartingThread<GrammarAnswer | typeof READY>
  readonly #limitMs: number
  #isReady = false
  #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(start: () => Worker, limitMs: number) {
    this.#limitMs = limitMs
    this.#thread = new RestartingThread({
      start,
      name: 'that writes grammars',
      onAnswer: (answer) => this.#take(answer),
      onLost: (error) => {
        for (const { reject } of this.#startOver()) reject(error)
      },
    })
  }

  write(request: string): Promise<WrittenGrammar> {
    const { promise, resolve, reject } = Promise.withResolvers<WrittenGrammar>()
    this.#send({ request, resolve, reject })
    return promise
  }

  #send(waiting: Waiting): void {
    this.#thread.send(waiting.request)
    if (this.#waiting.push(waiting) === 1) this.#watch()
  }

  #take(answer: GrammarAnswer | typeof READY): void {
    this.#isReady = true
    if (answer !== READY) settle(this.#waiting.shift(), answer)
    this.#watch()
  }

  /** The first one that waits is being written. */
  #watch(): void {
    clearTimeout(this.#timer)
    if (this.#isReady && this.#waiting.length > 0) this.#timer = setTimeout(() => this.#giveUp(), this.#limitMs).unref()
  }

  /** The others begin again in a new thread. */
  #giveUp(): void {
    this.#thread.discard()
    const [endless, ...others] = this.#startOver()
    const message = 'its grammar takes too long to write'
    endless?.reject(new GrammarRejected({ message, isTooLarge: true, tool: undefined }))
    for (const waiting of others) this.#send(waiting)
  }

  /** The next thread has to load first. Returns what the last one left. */
  #startOver(): Waiting[] {
    const left = this.#waiting
    this.#waiting = []
    this.#isReady = false
    clearTimeout(this.#timer)
    return left
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
