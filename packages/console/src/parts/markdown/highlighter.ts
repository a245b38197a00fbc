// Has code highlighted by a worker, one piece of code after the other. Code that takes too long costs the worker, not the page: it stays plain, and so
// does what comes later in its language.

import type { SourceCode, CodePiece } from './highlight-code.ts'

export interface HighlightWorker {
  /** Loading its code may take longer than the deadline. */
  ready: Promise<unknown>
  highlight: (code: SourceCode) => Promise<CodePiece[] | undefined>
  end: () => void
}

const DEADLINE_MS = 2_000

export class Highlighter {
  readonly #start: () => HighlightWorker
  readonly #slow = new Set<string>()
  #worker: HighlightWorker | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(start: () => HighlightWorker) {
    this.#start = start
  }

  /** Undefined if the code stays plain, or if the signal comes before its turn. */
  async highlight(code: SourceCode, signal: AbortSignal): Promise<CodePiece[] | undefined> {
    const turn = this.#last.then(async () =>
      signal.aborted || this.#slow.has(code.language) ? undefined : this.#run(code),
    )
    this.#last = turn
    return turn
  }

  async #run(code: SourceCode): Promise<CodePiece[] | undefined> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    try {
      await worker.ready
      return await inTime(worker.highlight(code))
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
  const timer = setTimeout(() => deadline.reject(new Error('Highlighting takes too long.')), DEADLINE_MS)
  try {
    return await Promise.race([value, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}
