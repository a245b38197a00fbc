import type { Transferable, Worker } from 'node:worker_threads'

interface ThreadOptions<Answer> {
  start: () => Worker
  /** What it does, such as "that writes grammars". */
  name: string
  onAnswer: (answer: Answer) => void
  /** It failed or ended: nothing that was sent to it is answered any more. */
  onLost: (error: unknown) => void
}

/** A thread that starts with the first message, and again with the next one after it was lost. */
export class RestartingThread<Answer> {
  readonly #options: ThreadOptions<Answer>
  #worker: Worker | undefined

  constructor(options: ThreadOptions<Answer>) {
    this.#options = options
  }

  send(message: unknown, moved: readonly Transferable[] = []): void {
    this.#worker ??= this.#start()
    this.#worker.postMessage(message, moved)
  }

  /** Ends it, as if it had been lost. */
  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  /** Ends it without a word: its answers are no longer wanted. */
  discard(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }

  #start(): Worker {
    const worker = this.#options.start()
    // One that was discarded may have had an answer on its way.
    worker.on('message', (answer: Answer) => {
      if (this.#worker === worker) this.#options.onAnswer(answer)
    })
    worker.once('error', (error) => this.#lose(worker, error))
    worker.once('exit', () => this.#lose(worker, new Error(`The thread ${this.#options.name} has ended`)))
    // The process does not live for its sake. After the listeners: adding one undoes it.
    worker.unref()
    return worker
  }

  #lose(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#options.onLost(error)
  }
}
