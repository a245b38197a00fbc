// Says how long the tests took and, as the very last line of a run, after everything vitest itself still prints while it closes, the counts.

import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { closingLines, countTests, type Counts } from './closing-summary.ts'
import { sumUpTimes, type Run, type SpentTime } from './test-times.ts'

const LEFT_OUT = fileURLToPath(new URL('../node_modules/.cache/hearth/left-out.txt', import.meta.url))

export default class ClosingReporter implements Reporter {
  #run: Run = 'npm test'
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  #spent: SpentTime = { lines: [], isTooSlow: false }

  onInit(vitest: Vitest): void {
    if (vitest.config.mode === 'long') this.#run = 'npm run test:long'
    rmSync(LEFT_OUT, { force: true })
    process.once('exit', () => this.#close())
  }

  onTestRunEnd(files: readonly TestModule[], strayErrors: readonly unknown[]): void {
    this.#counts = countTests(files, strayErrors.length)
    this.#spent = sumUpTimes(files, this.#run)
  }

  #close(): void {
    if (this.#spent.isTooSlow) process.exitCode = 1
    const lines = ['', ...this.#spent.lines, ...closingLines(this.#counts, readLeftOut())]
    process.stdout.write(`${lines.join('\n')}\n`)
  }
}

function readLeftOut(): string {
  try {
    return readFileSync(LEFT_OUT, 'utf8')
  } catch {
    return ''
  }
}
