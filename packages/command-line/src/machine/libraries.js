// The shared libraries that Node, PostgreSQL and the engine need from a system, and what has them. Anything else they need comes with them,
// or with every system. A test compares this with the programs for Linux; `npm run platforms` looks into those for Windows.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { distributionOf, installCommand } from './distribution.js'

/** What the Node of Hearth needs. PostgreSQL needs less. */
export const NODE_NEEDS = { glibc: '2.28' }
/** What the engine needs. The standard library of C++ has had this version since GCC 12. */
export const ENGINE_NEEDS = { glibc: '2.34', standardLibrary: 'GLIBCXX_3.4.30' }

/** @type {Readonly<Record<string, Record<import('./distribution.js').Distribution, string>>>} */
const PACKAGES = {
  'libatomic.so.1': { debian: 'libatomic1', fedora: 'libatomic', arch: 'gcc-libs', suse: 'libatomic1' },
  'libstdc++.so.6': { debian: 'libstdc++6', fedora: 'libstdc++', arch: 'gcc-libs', suse: 'libstdc++6' },
  'libgcc_s.so.1': { debian: 'libgcc-s1', fedora: 'libgcc', arch: 'gcc-libs', suse: 'libgcc_s1' },
}

export const LIBRARIES = Object.keys(PACKAGES)

/** Microsoft's C++ runtime. Node doesn't need it; PostgreSQL and the engine do. Many programs install it, but Windows doesn't have it. */
export const WINDOWS_LIBRARIES = ['vcruntime140.dll', 'vcruntime140_1.dll', 'msvcp140.dll']
export const WINDOWS_REMEDY =
  "install Microsoft's Visual C++ Redistributable: winget install --exact --id Microsoft.VCRedist.2015+.x64"

/**
 * Where installers for all users put them. There is no other.
 * @param {string} folder
 * @returns {string[]}
 */
export function missingOnWindows(folder = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32')) {
  return WINDOWS_LIBRARIES.filter((name) => !existsSync(join(folder, name)))
}

/** @returns {string[]} */
export function missingLibraries() {
  return LIBRARIES.filter((name) => !canLoad(name))
}

/**
 * Looks it up as the system does when a program starts.
 * @param {string} name
 */
export function canLoad(name) {
  try {
    process.dlopen({ exports: {} }, name)
    return true
  } catch (error) {
    // It was loaded, and Node complains that it is no module.
    return error instanceof Error && error.message.includes('did not self-register')
  }
}

/** Whether the standard library of C++, which is loaded in every Node, is new enough for the engine. */
export function hasNewStandardLibrary() {
  const path = /\S*\/libstdc\+\+\.so\S*/.exec(readText('/proc/self/maps'))?.[0]
  return path === undefined || readFileSync(path).includes(`${ENGINE_NEEDS.standardLibrary}\0`)
}

/**
 * @param {readonly string[]} missing
 * @param {{ release: string, isRoot: boolean }} machine
 */
export function howToInstall(missing, { release, isRoot }) {
  const distribution = distributionOf(release)
  if (distribution === undefined) return `install the packages of your system that contain ${missing.join(' and ')}`
  const packages = new Set(missing.flatMap((name) => PACKAGES[name]?.[distribution] ?? []))
  return `install what is missing: ${installCommand(distribution, [...packages], { isRoot, refreshes: true })}`
}

/** @param {string} path */
export function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Another system than Linux, or a very small one.
    return ''
  }
}
