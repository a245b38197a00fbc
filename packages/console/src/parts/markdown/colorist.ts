// Has code colored by a worker, one piece of code after the other. Code that takes too long costs the worker, not the page: it stays plain, and so
// does what comes later in its language.

import type { Code, CodePiece } from './color-code.ts'

export interface ColorWorker {
  /** Loading its code may take longer than the deadline. */
  ready: Promise<unknown>
  color: (code: Code) => Promise<CodePiece[] | undefined>
  end: () => void
}

const DEADLINE_MS = 2_000

export class Colorist {
  readonly #start: () => ColorWorker
  readonly #slow = new Set<string>()
  #worker: ColorWorker | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(start: () => ColorWorker) {
    this.#start = start
  }

  /** Undefined if the code stays plain, or if the signal comes before its turn. */
  async color(code: Code, signal: AbortSignal): Promise<CodePiece[] | undefined> {
    const turn = this.#last.then(async () =>
      signal.aborted || this.#slow.has(code.language) ? undefined : this.#ask(code),
    )
    this.#last = turn
    return turn
  }

  async #ask(code: Code): Promise<CodePiece[] | undefined> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    try {
      await worker.ready
      return await inTime(worker.color(code))
    } catch {
      worker.end()
      this.#worker = undefined
      this.#slow.add(code.language)
      return undefined
    }
  }
}

async function inTime<Value>(value: Promise<Value>): Promise<Value> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(new Error('Coloring takes too long.')), DEADLINE_MS)
  try {
    return await Promise.race([value, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}
