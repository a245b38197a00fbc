// `npm run structure`: no circles of files or folders, no crowded folders.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findCircles, findCrowds, MAX_FILES } from './structure.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILES = ['packages/*/src/**/*.{ts,tsx}', 'e2e/**/*.ts', 'bench/**/*.ts', 'truth/**/*.ts', 'scripts/**/*.ts']

const paths = globSync(FILES, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] }).toSorted()
const sources = new Map(paths.map((path) => [path, readFileSync(`${ROOT}${path}`, 'utf8')]))
const problems = [
  ...findCircles(sources).map(({ folder, entries }) => `${folder}: a circle of ${entries.join(', ')}`),
  ...findCrowds(paths).map(({ folder, files }) => `${folder}: ${files} files beside the tests (at most ${MAX_FILES})`),
]
console.log(problems.length === 0 ? `${paths.length} files: no circles, no crowded folders` : problems.join('\n'))
process.exitCode = problems.length === 0 ? 0 : 1
