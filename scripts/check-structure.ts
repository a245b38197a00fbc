// `npm run structure`: no circles of files or folders, no crowded folders, and no place that other accounts share. It also prints how many lines the product has, for reviewers to
// look at: fewer are welcome where a concept went, and no number fails.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { countByCapability, sum } from './product-lines.ts'
import { findCircles, findCrowds, findSharedPlaces, MAX_FILES } from './structure.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILES = ['packages/*/src/**/*.{ts,tsx}', 'e2e/**/*.ts', 'bench/**/*.ts', 'truth/**/*.ts', 'scripts/**/*.ts']
const PROGRAMS = [...FILES, 'packages/*/{bin,launcher,src}/**/*.{js,cjs,mjs}', 'scripts/**/*.mjs', '*.config.ts']

const sources = read(FILES)
const paths = [...sources.keys()]
const capabilities = countByCapability(read(['packages/*/src/**/*.{ts,tsx,css}']))
const total = sum(capabilities.map(({ lines }) => lines))
const problems = [
  ...findCircles(sources).map(({ folder, entries }) => `${folder}: a circle of ${entries.join(', ')}`),
  ...findCrowds(paths).map(({ folder, files }) => `${folder}: ${files} files beside the tests (at most ${MAX_FILES})`),
  ...findSharedPlaces(read(PROGRAMS)).map(
    (line) => `${line}: other accounts share this place; use mkdtemp(join(tmpdir(), …)) or openCompileCache`,
  ),
]

for (const { capability, lines } of capabilities) console.log(`${inWords(lines).padStart(8)}  ${capability}`)
console.log(`${inWords(total).padStart(8)}  product lines`)
console.log(problems.length === 0 ? `${paths.length} files: no circles, no crowded folders` : problems.join('\n'))
process.exitCode = problems.length === 0 ? 0 : 1

function read(patterns: string[]): Map<string, string> {
  const found = globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules/**'] }).toSorted()
  return new Map(found.map((path) => [path, readFileSync(ROOT + path, 'utf8')]))
}

function inWords(count: number): string {
  return count.toLocaleString('en-US')
}
