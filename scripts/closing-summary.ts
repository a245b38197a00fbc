// The two things a test run says last: what this machine could not run, and the counts that other tools read.

/** The part of vitest's finished test file that is counted. */
export interface FinishedFile {
  errors(): readonly unknown[]
  children: {
    allTests(): Iterable<{ result(): { state: string } }>
    allSuites(): Iterable<{ errors(): readonly unknown[] }>
  }
}

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/**
 * A file or a suite that broke outside its tests counts as one failure: its tests never ran and would otherwise be missing without a trace.
 * A test that never finished has failed too.
 */
export function countTests(files: readonly FinishedFile[], strayErrors: number): Counts {
  const counts = { passed: 0, failed: strayErrors, skipped: 0 }
  for (const file of files) {
    for (const part of [file, ...file.children.allSuites()]) if (part.errors().length > 0) counts.failed += 1
    for (const test of file.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed' || state === 'skipped') counts[state] += 1
      else counts.failed += 1
    }
  }
  return counts
}

/** `leftOut` is the text of the file to which tests append one line per thing they could not run. */
export function closingLines(counts: Counts, leftOut: string): string[] {
  const missing = [...new Set(leftOut.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
  return [
    '',
    ...(missing.length === 0 ? [] : ['Left out on this machine:', ...missing.map((line) => `  ${line}`), '']),
    `${counts.passed} passed, ${counts.failed} failed${counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`}`,
  ]
}
