// `npm run structure`: no circles of files or folders, no crowded folders, no test that is named after nothing, no thing with two
// names, no two things of one name, no place that other accounts share, and no path that breaks in a folder with a space. It also
// prints how many lines the product has, for reviewers to look at: fewer are welcome where a concept went, and no number fails.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findLostTests } from './lost-tests.ts'
import { countByCapability, sum } from './product-lines.ts'
import { findCircles, findCrowds, findEncodedPaths, findSharedPlaces, MAX_FILES } from './structure.ts'
import { findTwins } from './twin-names.ts'
import { findRepeatedTerms, findWrongWords, readTerms } from './words.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILES = ['packages/*/src/**/*.{ts,tsx}', 'e2e/**/*.ts', 'bench/**/*.ts', 'truth/**/*.ts', 'scripts/**/*.ts']
const PROGRAMS = [...FILES, 'packages/*/{bin,launcher,src}/**/*.{js,cjs,mjs}', 'scripts/**/*.mjs', '*.config.ts']
const TESTED = ['packages/*/src/**/*.{ts,tsx,js,cjs,mjs}', 'scripts/**/*.{ts,mjs}']

const sources = read(FILES)
const paths = [...sources.keys()]
const capabilities = countByCapability(read(['packages/*/src/**/*.{ts,tsx,css}']))
const total = sum(capabilities.map(({ lines }) => lines))
const terms = readTerms(readFileSync(`${ROOT}docs/words.md`, 'utf8'))
const problems = [
  ...findCircles(sources).map(({ folder, entries }) => `${folder}: a circle of ${entries.join(', ')}`),
  ...findCrowds(paths).map(({ folder, files }) => `${folder}: ${files} files beside the tests (at most ${MAX_FILES})`),
  ...findLostTests(find(TESTED)).map((path) => `${path}: no file beside it has this name; see CONTRIBUTING.md`),
  ...findTwins(sources).map(({ name, files }) => `${name}: ${files.join(' and ')} both export this name`),
  ...findRepeatedTerms(terms).map((term) => `docs/words.md: ${term} stands there twice`),
  ...findWrongWords(terms, sources),
  ...findEncodedPaths(read(PROGRAMS)).map(
    (line) => `${line}: a path with a space isn't found this way; use fileURLToPath`,
  ),
  ...findSharedPlaces(read(PROGRAMS)).map(
    (line) => `${line}: other accounts share this place; use mkdtemp(join(tmpdir(), …)) or openCompileCache`,
  ),
]

for (const { capability, lines } of capabilities) console.log(`${inWords(lines).padStart(8)}  ${capability}`)
console.log(`${inWords(total).padStart(8)}  product lines`)
console.log(
  problems.length === 0 ? `${paths.length} files: no circles, no crowded folders, no lost tests` : problems.join('\n'),
)
process.exitCode = problems.length === 0 ? 0 : 1

function read(patterns: string[]): Map<string, string> {
  return new Map(find(patterns).map((path) => [path, readFileSync(ROOT + path, 'utf8')]))
}

function find(patterns: string[]): string[] {
  return globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules/**'] }).toSorted()
}

function inWords(count: number): string {
  return count.toLocaleString('en-US')
}
