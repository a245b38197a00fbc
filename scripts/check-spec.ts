// `npm run spec`: every rule of SPEC.md has a test that names it, and every rule a test names exists.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareSpec, isClean, reportLines } from './spec-rules.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TESTS = [
  'packages/*/src/**/*.test.{ts,tsx}',
  'packages/*/src/**/*.contract.ts',
  'scripts/reference-pages.test.ts',
  'e2e/**/*.ts',
]

function readTests(): Map<string, string> {
  const files = globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules/**'] }).toSorted()
  return new Map(files.map((file) => [file, readFileSync(`${ROOT}${file}`, 'utf8')]))
}

const report = compareSpec(readFileSync(`${ROOT}SPEC.md`, 'utf8'), readTests())
console.log(reportLines(report).join('\n'))
process.exitCode = isClean(report) ? 0 : 1
