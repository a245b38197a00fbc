import { describe, expect, it } from 'vitest'
import { closingLines, countTests, type FinishedFile } from './closing-summary.ts'

function file(states: string[], { broken = false, brokenSuites = 0 } = {}): FinishedFile {
  return {
    errors: () => (broken ? ['does not load'] : []),
    children: {
      allTests: () => states.map((state) => ({ result: () => ({ state }) })),
      allSuites: () => Array.from({ length: brokenSuites }, () => ({ errors: () => ['hook threw'] })),
    },
  }
}

describe('countTests', () => {
  it('counts tests over all files', () => {
    expect(countTests([file(['passed', 'failed']), file(['passed', 'skipped'])], 0)).toEqual({
      passed: 2,
      failed: 1,
      skipped: 1,
    })
  })

  it.each([
    { what: 'a file that does not load', files: [file([], { broken: true })], stray: 0 },
    { what: 'a suite whose hook threw', files: [file([], { brokenSuites: 1 })], stray: 0 },
    { what: 'a test that never finished', files: [file(['pending'])], stray: 0 },
    { what: 'an error outside all tests', files: [], stray: 1 },
  ])('counts $what as failed', ({ files, stray }) => {
    expect(countTests(files, stray)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('closingLines', () => {
  it('ends with the counts', () => {
    expect(closingLines({ passed: 3, failed: 0, skipped: 0 }, '').at(-1)).toBe('3 passed, 0 failed')
    expect(closingLines({ passed: 3, failed: 1, skipped: 2 }, '').at(-1)).toBe('3 passed, 1 failed, 2 skipped')
  })

  it('names once what was left out, before the counts', () => {
    const lines = closingLines(
      { passed: 1, failed: 0, skipped: 0 },
      'Python clients: no python3\nPython clients: no python3\n\n',
    )
    expect(lines).toEqual(['', 'Left out on this machine:', '  Python clients: no python3', '', '1 passed, 0 failed'])
  })
})
