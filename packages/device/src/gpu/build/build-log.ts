// Follows a build by the lines of its tools: how far it is, and the last lines for whoever has to find out why it failed.

/** Lines that are kept; a build prints some hundred. */
const KEPT_LINES = 200
/** Compilers print templates of any length. */
const LINE_LETTERS = 500

export class BuildLog {
  #lines: string[] = []
  readonly #onProgress: (share: number) => void

  constructor(onProgress: (share: number) => void) {
    this.#onProgress = onProgress
  }

  add(line: string): void {
    this.#lines = [...this.#lines.slice(1 - KEPT_LINES), line.slice(0, LINE_LETTERS)]
    const share = shareIn(line)
    if (share !== undefined) this.#onProgress(share)
  }

  lines(): readonly string[] {
    return this.#lines
  }
}

/** Ninja prints [12/146], make [  8%]. */
function shareIn(line: string): number | undefined {
  const [, done, total, percent] = /^\[(?:(\d+)\/(\d+)|\s*(\d+)%)\]/.exec(line) ?? []
  if (percent !== undefined) return Math.min(1, Number(percent) / 100)
  return done === undefined || Number(total) === 0 ? undefined : Math.min(1, Number(done) / Number(total))
}
