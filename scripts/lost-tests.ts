// Finds test files that are named after nothing. `x.test.ts` and `x.what.test.ts` test `x.ts` beside them, or, if their folder is called x, what
// its files do together. The folder `src` goes by the name of its package.

import { posix } from 'node:path'

const TEST = /\.test\.tsx?$/

/** Each with its reason. */
const ABOUT_NO_FILE: ReadonlyMap<string, string> = new Map([
  ['packages/json-schema-grammar/src/readme.test.ts', 'runs the code of its README'],
  ['scripts/dependencies.test.ts', 'compares the package.json of every package with what its files import'],
])

/** `paths` are those of all files, tests or not. */
export function findLostTests(paths: readonly string[]): string[] {
  const sources = new Set(paths.filter((path) => !TEST.test(path)).map(withoutEndings))
  return paths.filter(
    (path) =>
      TEST.test(path) && !sources.has(withoutEndings(path)) && !isAboutItsFolder(path) && !ABOUT_NO_FILE.has(path),
  )
}

/** "src/a.what.test.ts" and "src/a.ts" are both "src/a". */
function withoutEndings(path: string): string {
  return path.replace(/\.[^/]*$/, '')
}

function isAboutItsFolder(path: string): boolean {
  const folder = posix.dirname(path).replace(/\/src$/, '')
  return posix.basename(folder) === posix.basename(withoutEndings(path))
}
