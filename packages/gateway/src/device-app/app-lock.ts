// The part of the repository's lockfile that the device app needs, as a lockfile of its own: a device installs exactly what was tested here,
// and npm compares every package with its checksum.

export interface LockEntry {
  name?: string
  version?: string
  link?: boolean
  optional?: boolean
  dev?: boolean
  devOptional?: boolean
  peer?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  [field: string]: unknown
}

export type LockEntries = Record<string, LockEntry>

interface AppManifest {
  name: string
  version: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  [field: string]: unknown
}

/** `home` is the workspace whose dependencies they are. */
export function appLock(entries: LockEntries, home: string, manifest: AppManifest): object {
  const { name, version, license, bin, dependencies, optionalDependencies } = manifest
  const needed = reach(entries, home, Object.keys(dependencies), requiredNames)
  const wanted = reach(entries, home, Object.keys({ ...dependencies, ...optionalDependencies }), allNames)
  const packages: LockEntries = { '': { name, version, license, bin, dependencies, optionalDependencies } }
  for (const place of [...wanted].toSorted()) {
    const own = place.startsWith(`${home}/`) ? place.slice(home.length + 1) : place
    if (packages[own])
      throw new Error(`Cannot make the lockfile of the device app: it would need two versions of ${own}`)
    packages[own] = plainEntry(entries[place]!, !needed.has(place))
  }
  return { name, version, lockfileVersion: 3, requires: true, packages }
}

/** What an entry says about the whole repository is not true for the app alone. */
function plainEntry({ dev: _dev, devOptional: _devOptional, peer: _peer, ...entry }: LockEntry, isOptional: boolean) {
  const { optional: _optional, ...rest } = entry
  return isOptional ? { ...rest, optional: true } : rest
}

function reach(
  entries: LockEntries,
  home: string,
  names: readonly string[],
  namesOf: (entry: LockEntry) => string[],
): Set<string> {
  const places = new Set<string>()
  const visit = (from: string, wanted: readonly string[]): void => {
    for (const name of wanted) {
      const place = find(entries, from, name)
      if (place === undefined || places.has(place)) continue
      places.add(place)
      visit(place, namesOf(entries[place]!))
    }
  }
  visit(home, names)
  return places
}

function requiredNames({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: LockEntry): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys(dependencies), ...peers]
}

function allNames(entry: LockEntry): string[] {
  return [...requiredNames(entry), ...Object.keys(entry.optionalDependencies ?? {})]
}

/** As Node looks: in the folder of whoever asks, then in those above. */
function find(entries: LockEntries, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (entries[place]) return place
    if (folder === '') return undefined
  }
}
