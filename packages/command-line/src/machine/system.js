// What the system of a machine must have to run Hearth: what no option changes.

import {
  ENGINE_NEEDS,
  hasNewStandardLibrary,
  howToInstall,
  missingLibraries,
  missingOnWindows,
  NODE_NEEDS,
  readText,
  WINDOWS_REMEDY,
} from './libraries.js'

/**
 * @typedef {object} System
 * @property {string} platform as Node names it
 * @property {string} arch
 * @property {string | undefined} glibc undefined on Linux means musl
 * @property {readonly string[]} missing shared libraries that are not there
 * @property {boolean} hasNewStandardLibrary
 * @property {string} release the text of os-release
 * @property {boolean} isRoot
 *
 * @typedef {{ runsModels: boolean, hasDatabase: boolean }} Parts the parts that run on this machine
 * @typedef {{ code: string, what: string, remedy: string }} Stop
 */

const PLATFORMS = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64', 'win32 x64']
const NEWER = 'use a newer system: Debian 12, Ubuntu 22.04, Fedora 36, RHEL 10 or later'

/** @returns {System} */
export function readSystem() {
  const isLinux = process.platform === 'linux'
  const glibc = isLinux ? readGlibc() : undefined
  return {
    platform: process.platform,
    arch: process.arch,
    glibc,
    missing: readMissing(glibc),
    hasNewStandardLibrary: glibc === undefined || hasNewStandardLibrary(),
    release: readText('/etc/os-release'),
    isRoot: process.getuid?.() === 0,
  }
}

/**
 * The most basic reason first.
 * @param {System} system
 * @param {Parts} parts
 * @returns {Stop[]}
 */
export function findSystemStops(system, parts) {
  return [unsupportedProcessor, musl, oldLibraries, missing].flatMap((find) => find(system, parts) ?? [])
}

/** @type {(stop: Pick<Stop, 'what' | 'remedy'>) => string} what is wrong, and what to do */
export function sentenceOf({ what, remedy }) {
  return `${what}. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}`
}

/** Alpine Linux and its like can't run programs that were made for glibc. */
export function isMusl() {
  return process.platform === 'linux' && readGlibc() === undefined
}

/** @type {(system: System, parts: Parts) => Stop | undefined} */
function unsupportedProcessor({ platform, arch }, { runsModels, hasDatabase }) {
  if (PLATFORMS.includes(`${platform} ${arch}`) || !(runsModels || hasDatabase)) return undefined
  return {
    code: 'unsupported-processor',
    what: `Hearth has no ${runsModels ? 'engine' : 'database'} for ${platform} on ${arch}`,
    remedy: `use a 64-bit machine with Linux or macOS (x64 or arm64), or Windows (x64)${runsModels ? '' : ', or set DATABASE_URL to a PostgreSQL of your own'}`,
  }
}

/** @type {(system: System) => Stop | undefined} */
function musl({ platform, glibc }) {
  if (platform !== 'linux' || glibc !== undefined) return undefined
  return {
    code: 'musl',
    what: 'Hearth needs glibc, and this Linux has another C library, as Alpine does',
    remedy: 'use a machine or container with Debian, Ubuntu, Fedora or another distribution with glibc',
  }
}

/** @type {(system: System, parts: Parts) => Stop | undefined} */
function oldLibraries({ glibc, hasNewStandardLibrary: hasNew }, { runsModels, hasDatabase }) {
  if (glibc === undefined) return undefined
  if (isOlder(glibc, NODE_NEEDS.glibc))
    return {
      code: 'old-system',
      what: `Node needs glibc ${NODE_NEEDS.glibc}, and this system has ${glibc}`,
      remedy: NEWER,
    }
  if (!runsModels || (!isOlder(glibc, ENGINE_NEEDS.glibc) && hasNew)) return undefined
  const lacks = isOlder(glibc, ENGINE_NEEDS.glibc)
    ? `glibc ${ENGINE_NEEDS.glibc}, and this system has ${glibc}`
    : 'the C++ library of GCC 12, and that of this system is older'
  // Whoever has the database has the gateway, too.
  const without = hasDatabase ? '. Without models, Hearth runs here: npm start -- --no-device' : ''
  return { code: 'old-system', what: `The engine needs ${lacks}`, remedy: `${NEWER}${without}` }
}

/** @type {(system: System, parts: Parts) => Stop | undefined} */
function missing({ platform, missing: names, release, isRoot }, { runsModels, hasDatabase }) {
  const isWindows = platform === 'win32'
  if (names.length === 0 || (isWindows && !runsModels && !hasDatabase)) return undefined
  const listed = names.join(' and ')
  return {
    code: 'missing-library',
    what: `This machine has no ${listed}, which ${isWindows ? 'PostgreSQL and the engine need' : 'Node needs'}`,
    remedy: isWindows ? WINDOWS_REMEDY : howToInstall(names, { release, isRoot }),
  }
}

/** @param {string | undefined} glibc */
function readMissing(glibc) {
  if (process.platform === 'win32') return missingOnWindows()
  return glibc === undefined ? [] : missingLibraries()
}

/** Undefined where the C library is not glibc. */
function readGlibc() {
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  return header.glibcVersionRuntime
}

/**
 * @param {string} version such as 2.31
 * @param {string} needed
 */
function isOlder(version, needed) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number)
  return major < neededMajor || (major === neededMajor && minor < neededMinor)
}
