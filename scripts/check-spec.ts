// `npm run spec`: every rule has a test that names it, and every rule a test names exists.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareSpec, isClean, reportLines } from './spec-rules.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SPECS = ['SPEC.md', 'packages/*/PROMISES.md']
const TESTS = [
  'packages/*/src/**/*.test.{ts,tsx}',
  'packages/*/src/**/*.contract.ts',
  'scripts/pages/printed-pages.test.ts',
  'e2e/**/*.ts',
]

function readAll(patterns: string[]): Map<string, string> {
  const files = globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules/**'] }).toSorted()
  return new Map(files.map((file) => [file, readFileSync(`${ROOT}${file}`, 'utf8')]))
}

const report = compareSpec([...readAll(SPECS).values()].join('\n'), readAll(TESTS))
console.log(reportLines(report).join('\n'))
process.exitCode = isClean(report) ? 0 : 1
