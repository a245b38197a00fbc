// The shape of the source tree. In every folder, its files and folders import each other in one direction only, types included, and there are few
// enough of them to read at a glance. What other accounts of the machine share is used in one way only.

import { posix } from 'node:path'

export const MAX_FILES = 20

/** Paths of files, with what they hold. */
export type Sources = ReadonlyMap<string, string>

export interface Entries {
  folder: string
  entries: string[]
}

export interface Crowd {
  folder: string
  files: number
}

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g
const IN_A_TEST = /\.test\.tsx?$|\.contract\.ts$|\/(testing|contract)\//

export function findCrowds(paths: Iterable<string>): Crowd[] {
  const counts = Map.groupBy(
    [...paths].filter((path) => !IN_A_TEST.test(path)),
    (path) => posix.dirname(path),
  )
  return [...counts]
    .map(([folder, files]) => ({ folder, files: files.length }))
    .filter(({ files }) => files > MAX_FILES)
    .toSorted((a, b) => b.files - a.files)
}

/** The entries of each folder that import each other in a circle. */
export function findCircles(sources: Sources): Entries[] {
  return [...levelsOf(sources)]
    .flatMap(([folder, arrows]) => circlesIn(arrows).map((entries) => ({ folder, entries: entries.toSorted() })))
    .toSorted((a, b) => a.folder.localeCompare(b.folder))
}

/** Only one file says where Node keeps what it has compiled. */
const COMPILE_CACHE = /^packages\/command-line\/src\/program\/compile-cache\.ts$|^scripts\/structure\./
/** A new folder that nobody else can open, under a name that nobody can guess. */
const NEW_FOLDER = /\bmkdtemp(Sync)?\(join\((realpathSync\()?(tmpdir\(\)|'\/tmp')/
const SHARED = /\btmpdir\(\)|['"`]\/(var\/)?tmp\b|\/dev\/shm\b.*['"`]|\bTMPDIR\b.*\?\?/

/** The lines that use the temporary folder that all accounts share, where another account can be first. */
export function findSharedPlaces(sources: Sources): string[] {
  const found: string[] = []
  for (const [path, text] of sources)
    for (const [index, line] of text.split('\n').entries()) {
      const isShared = SHARED.test(line) && !NEW_FOLDER.test(line) && !IN_A_TEST.test(path)
      if (isShared || (line.includes('enableCompileCache') && !COMPILE_CACHE.test(path)))
        found.push(`${path}:${index + 1}`)
    }
  return found
}

/**
 * The lines that take a path out of a file's address as it stands there: a space or an umlaut of the folder stays encoded, and
 * nothing is found. Files that know where they are (`import.meta`) use fileURLToPath.
 */
export function findEncodedPaths(sources: Sources): string[] {
  const found: string[] = []
  for (const [path, text] of sources) {
    if (!/\bimport\.meta\.(url|resolve)\b/.test(text) || path.startsWith('scripts/structure.')) continue
    for (const [index, line] of text.split('\n').entries())
      if (/\.pathname\b/.test(line)) found.push(`${path}:${index + 1}`)
  }
  return found
}

type Arrows = Map<string, Set<string>>

/** An import counts in the folder where the two paths part, between the two entries that they go through. */
function levelsOf(sources: Sources): Map<string, Arrows> {
  const levels = new Map<string, Arrows>()
  for (const [path, text] of sources) {
    if (IN_A_TEST.test(path)) continue
    for (const target of importsOf(path, text)) {
      if (!sources.has(target) || target === path) continue
      const { folder, from, to } = parting(path, target)
      const arrows = getOrAdd(levels, folder, () => new Map())
      getOrAdd(arrows, from, () => new Set()).add(to)
    }
  }
  return levels
}

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, target = '']) => posix.join(posix.dirname(path), target))
}

function parting(path: string, target: string): { folder: string; from: string; to: string } {
  const left = path.split('/')
  const right = target.split('/')
  const depth = left.findIndex((name, index) => name !== right[index])
  return { folder: left.slice(0, depth).join('/'), from: left[depth] ?? '', to: right[depth] ?? '' }
}

/** Entries that reach themselves, grouped by whom they reach there and back. */
function circlesIn(arrows: Arrows): string[][] {
  const reach = new Map([...arrows.keys()].map((name) => [name, reachable(name, arrows)]))
  const inCircle = [...reach].filter(([name, names]) => names.has(name))
  const groups = Map.groupBy(inCircle, ([name, names]) =>
    [...names]
      .filter((other) => reach.get(other)?.has(name))
      .toSorted()
      .join(),
  )
  return [...groups.values()].map((members) => members.map(([name]) => name))
}

function reachable(start: string, arrows: Arrows): Set<string> {
  const found = new Set<string>()
  const open = [start]
  for (let name = open.pop(); name !== undefined; name = open.pop())
    for (const next of arrows.get(name) ?? []) {
      if (found.has(next)) continue
      found.add(next)
      open.push(next)
    }
  return found
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}
