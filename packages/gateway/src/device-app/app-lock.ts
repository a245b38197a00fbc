// Extracts the part of the repository's lockfile that the device app needs, so that a device installs exactly the versions tested here and
// npm verifies the checksum of every package.

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

/** `home` is the workspace that has these dependencies. */
export function appLock(entries: LockEntries, home: string, manifest: AppManifest): object {
  const { name, version, license, bin, dependencies, optionalDependencies } = manifest
  const needed = reach(entries, home, Object.keys(dependencies), requiredNames)
  const wanted = reach(entries, home, Object.keys({ ...dependencies, ...optionalDependencies }), allNames)
  const packages: LockEntries = { '': { name, version, license, bin, dependencies, optionalDependencies } }
  for (const place of [...wanted].toSorted()) {
    const own = place.startsWith(`${home}/`) ? place.slice(home.length + 1) : place
    if (packages[own])
      throw new Error(`Cannot build the lockfile of the device app: it would need two versions of ${own}`)
    packages[own] = plainEntry(entries[place]!, !needed.has(place))
  }
  return { name, version, lockfileVersion: 3, requires: true, packages }
}

/** An entry's flags describe the whole repository and may be wrong for the app alone. */
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

/** Searches like Node: in the folder of the importing package, then in the folders above. */
function find(entries: LockEntries, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (entries[place]) return place
    if (folder === '') return undefined
  }
}
