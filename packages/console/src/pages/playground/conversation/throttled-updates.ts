/** Updates of the page as they become due: at most one per frame, and after each, at least three times as long without as it took. */
export class ThrottledUpdates {
  readonly #update: () => void
  readonly #page: Page
  #isDue = false
  #isRunning = false

  constructor(update: () => void, page: Page = THIS_PAGE) {
    this.#update = update
    this.#page = page
  }

  /** The next update will show what is new. */
  schedule(): void {
    this.#isDue = true
    if (!this.#isRunning) void this.#run()
  }

  /** What is due never comes. */
  stop(): void {
    this.#isDue = false
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#isDue) {
      await this.#page.nextFrame()
      if (this.#isDue) await this.#updateOnce()
    }
    this.#isRunning = false
  }

  async #updateOnce(): Promise<void> {
    this.#isDue = false
    const begin = this.#page.now()
    this.#update()
    await this.#page.pause(0)
    await this.#page.pause(REST * (this.#page.now() - begin))
  }
}

/** Of the time that an update took. */
const REST = 3

interface Page {
  now: () => number
  nextFrame: () => Promise<void>
  /** In milliseconds. Even 0 comes after what the current frame paints. */
  pause: (ms: number) => Promise<void>
}

const THIS_PAGE: Page = {
  now: () => performance.now(),
  nextFrame: async () => new Promise((resolve) => requestAnimationFrame(() => resolve())),
  pause: async (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
