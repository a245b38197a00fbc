// `npm run spec`: every rule has a test that names it, and every rule a test names exists. Anything else a title says in words.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareSpec, isClean, reportLines } from './spec-rules.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TESTS = [
  '{packages,e2e,bench,truth,scripts}/**/*.test.{ts,tsx}',
  'packages/*/src/**/*.contract.ts',
  'e2e/**/*.ts',
]
/** Its examples are titles too. */
const TEST_OF_THIS = 'scripts/spec-rules.test.ts'

const files = globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules/**', TEST_OF_THIS] }).toSorted()
const tests = new Map(files.map((file) => [file, readFileSync(`${ROOT}${file}`, 'utf8')]))
const report = compareSpec(readFileSync(`${ROOT}SPEC.md`, 'utf8'), tests)
console.log(reportLines(report).join('\n'))
process.exitCode = isClean(report) ? 0 : 1
