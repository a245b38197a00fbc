// Makes the counts the very last line of a test run, after everything vitest itself still prints while it closes.

import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule } from 'vitest/node'
import { closingLines, countTests, type Counts } from './closing-summary.ts'

const LEFT_OUT = fileURLToPath(new URL('../node_modules/.cache/hearth/left-out.txt', import.meta.url))

export default class ClosingReporter implements Reporter {
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 }

  onInit(): void {
    rmSync(LEFT_OUT, { force: true })
    process.once('exit', () => process.stdout.write(`${closingLines(this.#counts, readLeftOut()).join('\n')}\n`))
  }

  onTestRunEnd(files: readonly TestModule[], strayErrors: readonly unknown[]): void {
    this.#counts = countTests(files, strayErrors.length)
  }
}

function readLeftOut(): string {
  try {
    return readFileSync(LEFT_OUT, 'utf8')
  } catch {
    return ''
  }
}
