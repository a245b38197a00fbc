// Takes the pictures of a run with the time of each step, and writes the page that shows them.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import { captureWebP } from '../console/harness/capture.ts'

/** The best that makes a small enough picture is taken. */
const QUALITIES = [72, 55, 40, 25]
const MOST_BYTES = 60_000
const SETTLED_MS = 700

interface Taken {
  file: string
  about: string
  seconds: number
}

export class Album {
  readonly #folder: string
  readonly #taken: Taken[] = []
  readonly #startedAt = performance.now()
  /** Other work on the machine makes every step slower. */
  readonly #load = loadavg()[0]!
  /** The user doesn't take pictures, so this time doesn't count. */
  #takingMs = 0

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Removes the pictures of an earlier run. The clock starts now. */
  static async start(folder: string): Promise<Album> {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    return new Album(folder)
  }

  async take(page: Page, name: string, about: string): Promise<void> {
    const reachedAt = performance.now()
    const seconds = (reachedAt - this.#startedAt - this.#takingMs) / 1_000
    const file = `${String(this.#taken.length + 1).padStart(2, '0')}-${name}.webp`
    await writeFile(`${this.#folder}/${file}`, await capture(page))
    this.#taken.push({ file, about, seconds })
    process.stdout.write(`${seconds.toFixed(1).padStart(6)} s  ${file}\n`)
    this.#takingMs += performance.now() - reachedAt
  }

  async writePage(modelOrigin: string): Promise<void> {
    const rows = this.#taken.map(
      ({ file, about, seconds }) => `| ${seconds.toFixed(1)} s | ${about} | [picture](${file}) |`,
    )
    await writeFile(`${this.#folder}/README.md`, pageText(rows, this.#load, modelOrigin))
  }
}

async function capture(page: Page): Promise<Buffer> {
  await page.evaluate('document.fonts.ready')
  // Lists and charts arrive a moment after their page.
  await page.waitForTimeout(SETTLED_MS)
  let picture: Buffer = Buffer.alloc(0)
  for (const quality of QUALITIES) {
    picture = await captureWebP(page, quality)
    if (picture.length <= MOST_BYTES) break
  }
  return picture
}

function pageText(rows: readonly string[], load: number, modelOrigin: string): string {
  return `# A new user's first run

\`npm run first-run\` starts Hearth with an empty data folder, goes through every step with a real browser, the real starter model and a second device app, and writes this page. Times are seconds since \`npm start\`, on ${availableParallelism()} cores that also run the browser and both devices; the load average was ${load.toFixed(1)} at the start. A script types faster than a person, and taking pictures doesn't count. The time of \`npm ci\` isn't included, and the second device finds its packages in npm's cache. ${modelOrigin}

| Time | Step | Picture |
| ---: | --- | --- |
${rows.join('\n')}
`
}
