// `npm run duplicates`: nothing more is written twice. Generated files, migrations, which never change,
// and the list of models, which is data, are left out.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findDuplicates, type Place } from './duplicates.ts'

/** Pairs that are alike and do different things, or must not be one. Lower it when there are fewer. */
const MOST = 30

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FILES = [
  'packages/*/{bin,launcher,src}/**/*.{ts,tsx,js,cjs,css}',
  '{bench,e2e,scripts,truth}/**/*.{ts,js,mjs}',
  '*.config.ts',
]
const LEFT_OUT = [
  '**/node_modules/**',
  '**/migrations/**',
  'packages/console/src/api/schema.d.ts',
  'packages/model-list/src/list/**',
]

const paths = globSync(FILES, { cwd: ROOT, exclude: LEFT_OUT }).toSorted()
const pairs = findDuplicates(new Map(paths.map((path) => [path, readFileSync(ROOT + path, 'utf8')])))
const verdict = `${paths.length} files: ${pairs.length} pairs of places are alike`
if (pairs.length > MOST) {
  for (const pair of pairs) console.log(pair.map(inWords).join(' ~ '))
  console.log(`${verdict} (at most ${MOST}). Make one thing of what your change wrote again; see CONTRIBUTING.md`)
  process.exitCode = 1
} else console.log(pairs.length < MOST ? `${verdict}: lower MOST in scripts/check-duplicates.ts` : verdict)

function inWords({ path, lines }: Place): string {
  return `${path}:${lines.join('-')}`
}
