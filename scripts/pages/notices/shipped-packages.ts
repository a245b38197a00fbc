// The npm packages that reach a user: what the programs install, and what is built into the console.

import { globSync, readFileSync } from 'node:fs'
import { reach, type LockEntries, type LockEntry } from '../../../packages/gateway/src/device-app/app-lock.ts'
import { importedNames } from '../../../packages/gateway/src/device-app/to-javascript.ts'

export interface ShippedPackage {
  name: string
  version: string
  /** As the package names it. */
  license: string
  /** From the root of the repository. */
  place: string
  /** For one kind of machine, so it may not be installed here. */
  isBuild: boolean
}

interface Manifest {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** In order, each version once. */
export function shippedPackages(root: string): ShippedPackage[] {
  const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as { packages: LockEntries }
  const found = [
    ...reach(lock.packages, '', names(root, '')),
    ...globSync('packages/*', { cwd: root }).flatMap((home) => [...reach(lock.packages, home, names(root, home))]),
    ...reach(lock.packages, 'packages/console', importedByConsole(root)),
  ]
  const shipped = found.filter(([, entry]) => !entry.link).map(([place, entry]) => describe(place, entry))
  const byName = new Map(shipped.map((one) => [`${one.name}@${one.version}`, one]))
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}

function describe(place: string, { name, version = '', license, os, cpu }: LockEntry): ShippedPackage {
  const inFolder = place.replace(/^.*node_modules\//, '')
  const isBuild = os !== undefined || cpu !== undefined
  return { name: name ?? inFolder, version, license: license ?? '', place, isBuild }
}

function names(root: string, home: string): string[] {
  const { dependencies, optionalDependencies } = readManifest(root, home)
  return Object.keys({ ...dependencies, ...optionalDependencies }).filter(isForeign)
}

function readManifest(root: string, home: string): Manifest {
  return JSON.parse(readFileSync(`${root}${home}/package.json`, 'utf8')) as Manifest
}

/** Its libraries are in its bundle, wherever its manifest lists them. */
function importedByConsole(root: string): string[] {
  const files = globSync('packages/console/src/**/*.{ts,tsx,css}', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  )
  const imports = files.flatMap((file) => importedNames(readFileSync(root + file, 'utf8')))
  const packages = new Set(imports.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]))
  // Examples that the console shows import other packages.
  const { dependencies, devDependencies } = readManifest(root, 'packages/console')
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => packages.has(name) && isForeign(name))
}

function isForeign(name: string): boolean {
  return !name.startsWith('@hearth/')
}
