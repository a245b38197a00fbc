// Finds names that two files of a package export. Whoever searches for one of them finds the other,
// and an editor offers both.

import type { Sources } from './structure.ts'

export interface Twins {
  /** Of the package, and what is exported. */
  name: string
  files: string[]
}

const PACKAGE = /^packages\/([^/]+)\/src\//
const LEFT_OUT = /\.test\.|\.contract\.|\/(?:testing|contract|simulator)\//
const EXPORT =
  /^export (?:default )?(?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|let|interface|type) +([\w$]+)/gm

/** Passing on what another file exports is no second thing. */
export function findTwins(sources: Sources): Twins[] {
  const paths = Map.groupBy(sources.keys().filter(isCounted), (path) => PACKAGE.exec(path)?.[1])
  return [...paths]
    .flatMap(([owner, files]) => twinsIn(files, sources).map((twins) => ({ ...twins, name: `${owner} ${twins.name}` })))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

function isCounted(path: string): boolean {
  return PACKAGE.test(path) && !LEFT_OUT.test(path)
}

function twinsIn(files: readonly string[], sources: Sources): Twins[] {
  const found = new Map<string, Set<string>>()
  for (const path of files)
    for (const [, name = ''] of (sources.get(path) ?? '').matchAll(EXPORT))
      found.set(name, (found.get(name) ?? new Set()).add(path))
  return [...found]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => ({ name, files: [...paths].toSorted() }))
}
