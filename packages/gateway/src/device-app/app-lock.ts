// Extracts the part of the repository's lockfile that a program needs, so that a machine installs exactly the versions tested here and
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
  license?: string
  integrity?: string
  os?: string[]
  cpu?: string[]
  [field: string]: unknown
}

export type LockEntries = Record<string, LockEntry>

export interface AppLock {
  name: string
  version: string
  lockfileVersion: 3
  requires: true
  packages: LockEntries
}

interface AppManifest {
  name: string
  version: string
  license?: string
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  [field: string]: unknown
}

/** `home` is the workspace that has these dependencies. */
export function appLock(entries: LockEntries, home: string, manifest: AppManifest): AppLock {
  const { name, version, license, bin, dependencies, optionalDependencies } = manifest
  const needed = reach(entries, home, Object.keys(dependencies), requiredNames)
  const wanted = reach(entries, home, Object.keys({ ...dependencies, ...optionalDependencies }))
  const packages: LockEntries = {
    '': { name, version, ...(license !== undefined && { license }), bin, dependencies, optionalDependencies },
  }
  for (const folder of [...wanted.keys()].toSorted()) {
    const own = folder.startsWith(`${home}/`) ? folder.slice(home.length + 1) : folder
    if (packages[own]) throw new Error(`Cannot build the lockfile of ${name}: it would need two versions of ${own}`)
    packages[own] = plainEntry(withoutMissing(entries, folder), !needed.has(folder))
  }
  return { name, version, lockfileVersion: 3, requires: true, packages }
}

/** What the repository installs nowhere, such as GPU packages, is not asked for either: npm would miss it in the lockfile. */
function withoutMissing(entries: LockEntries, folder: string): LockEntry {
  const { optionalDependencies = {}, ...entry } = entries[folder] ?? {}
  const present = Object.entries(optionalDependencies).filter(([name]) => findEntry(entries, folder, name))
  return present.length === 0 ? entry : { ...entry, optionalDependencies: Object.fromEntries(present) }
}

/** An entry's flags describe the whole repository and may be wrong for the app alone. */
function plainEntry({ dev: _dev, devOptional: _devOptional, peer: _peer, ...entry }: LockEntry, isOptional: boolean) {
  const { optional: _optional, ...rest } = entry
  return isOptional ? { ...rest, optional: true } : rest
}

/** All packages that get installed for these dependencies of `home`, by their places. */
export function reach(
  entries: LockEntries,
  home: string,
  names: readonly string[],
  namesOf: (entry: LockEntry) => string[] = allNames,
): Map<string, LockEntry> {
  const folders = new Map<string, LockEntry>()
  const visit = (from: string, wanted: readonly string[]): void => {
    for (const name of wanted) {
      const [folder, entry] = findEntry(entries, from, name) ?? []
      if (folder === undefined || entry === undefined || folders.has(folder)) continue
      folders.set(folder, entry)
      visit(folder, namesOf(entry))
    }
  }
  visit(home, names)
  return folders
}

function requiredNames({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: LockEntry): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys(dependencies), ...peers]
}

function allNames(entry: LockEntry): string[] {
  return [...requiredNames(entry), ...Object.keys(entry.optionalDependencies ?? {})]
}

/** Searches like Node: in the folder of the importing package, then in the folders above. */
export function findEntry(
  entries: LockEntries,
  from: string,
  name: string,
): [folder: string, entry: LockEntry] | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const found = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const entry = entries[found]
    if (entry) return [found, entry]
    if (folder === '') return undefined
  }
}
