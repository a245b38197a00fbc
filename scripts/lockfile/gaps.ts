// npm checks a download against the lockfile only where the lockfile has its checksum. Where the registry doesn't have a package, npm leaves
// the checksum out and says nothing.

export interface LockedPackage {
  /** Where it is another package than its place says. */
  name?: string
  version?: string
  link?: boolean
  /** Inside another package's download. */
  inBundle?: boolean
  integrity?: string
  optional?: boolean
  devOptional?: boolean
  engines?: Record<string, string>
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

/** By its place, such as `node_modules/ws`. */
export type LockedPackages = Record<string, LockedPackage>

/**
 * The engine for macOS and Windows. The registry that this lockfile was made with has the engine's 3.22.1 for Linux only. The last version
 * that it has for all systems, 3.21.1, can't be used: it copies no slot into another, returns no logits with a draw, and restores a
 * checkpoint only into the slot it was taken from. `npm run lockfile` fills these in wherever a full registry can be reached, and no release
 * can be signed before.
 */
export const KNOWN_GAPS: readonly string[] = ['mac-arm64-metal', 'mac-x64', 'win-arm64', 'win-x64'].map(
  (system) => `@node-llama-cpp/${system}@3.22.1`,
)

/** What npm downloads, by its place. */
export function downloads(packages: LockedPackages): [place: string, entry: LockedPackage][] {
  return Object.entries(packages).filter(
    ([place, { link, inBundle }]) => place.includes('node_modules/') && !link && !inBundle,
  )
}

export function gaps(packages: LockedPackages): [place: string, entry: LockedPackage][] {
  return downloads(packages).filter(([, { integrity }]) => integrity === undefined)
}

/** `ws@8.22.2` */
export function nameAndVersion([place, { version }]: [place: string, entry: LockedPackage]): string {
  return `${place.replace(/^.*node_modules\//, '')}@${version}`
}

/** Nobody signs a program whose packages npm couldn't check. */
export function requireChecksums(packages: LockedPackages): void {
  const missing = gaps(packages).map(nameAndVersion)
  if (missing.length === 0) return
  const them = missing.length === 1 ? 'a package' : `${missing.length} packages`
  throw new Error(
    `package-lock.json has no checksum for ${them}: ${missing.join(', ')}. Run npm run lockfile where a full registry can be reached`,
  )
}
