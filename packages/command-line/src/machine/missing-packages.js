// Which packages of a checkout npm has not installed, or not in the version of the lockfile: after an "npm ci" that was broken off, an update
// without one, or one that left out what is needed now. Reads a few files, and runs on any Node from 18 on.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [resolved] where a link leads to
 * @property {boolean} [link]
 * @property {boolean} [optional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {Record<string, string>} [devDependencies]
 *
 * @typedef {Record<string, LockedPackage>} LockedPackages by their place, such as `node_modules/ws`
 * @typedef {{ what: string, remedy: string }} Missing
 */

/** npm writes it last. */
const INSTALLED = 'node_modules/.package-lock.json'
const NAMED = 3

/**
 * @param {string} root of the checkout
 * @param {string} [workspace] whose packages are needed to run it; without one, all packages are, also those for tests
 * @returns {Missing | undefined}
 */
export function findMissingPackages(root, workspace) {
  const command = workspace === undefined ? 'npm ci' : 'npm ci --omit=dev'
  const locked = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(join(root, INSTALLED))
  if (locked === undefined) return undefined
  if (installed === undefined) return { what: `"${command}" has not run here, or not to its end`, remedy: `run it` }
  const missing = [...neededPackages(locked, workspace)].filter(
    (place) => installed[place]?.version !== locked[place]?.version || !existsSync(join(root, place, 'package.json')),
  )
  if (missing.length === 0) return undefined
  const isLeftOut = missing.every((place) => locked[place]?.optional && installed[place] === undefined)
  return {
    what: `${inWords(missing)} not installed, or in another version`,
    remedy: `run "${command}"${isLeftOut ? '. If npm leaves them out again, install a newer Node, with its npm' : ''}`,
  }
}

/** @type {(places: readonly string[]) => string} */
function inWords(places) {
  const names = places.map((place) => place.replace(/^.*node_modules\//, ''))
  if (names.length === 1) return `The package ${names[0]} is`
  const rest = names.length - NAMED
  return `The packages ${names.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''} are`
}

/**
 * The places of all packages that these need on this machine, without those that only make something faster.
 * @param {LockedPackages} locked
 * @param {string} [workspace]
 * @param {{ platform: string, arch: string }} [system]
 * @returns {Set<string>}
 */
export function neededPackages(locked, workspace, system = process) {
  /** @type {Set<string>} */
  const needed = new Set()
  const isWithTests = workspace === undefined
  const begin = isWithTests ? Object.keys(locked).filter((place) => !place.includes('node_modules/')) : ['', workspace]
  const open = [...begin]
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    const { dependencies, optionalDependencies, devDependencies } = locked[from] ?? {}
    const tests = isWithTests && begin.includes(from) ? Object.keys(devDependencies ?? {}) : []
    const parts = Object.keys(optionalDependencies ?? {}).filter((name) => {
      const part = locked[find(locked, from, name) ?? '']
      return part?.os !== undefined && isFor(part, system)
    })
    for (const name of [...Object.keys(dependencies ?? {}), ...tests, ...parts]) {
      const place = find(locked, from, name)
      if (place === undefined || needed.has(place)) continue
      needed.add(place)
      open.push(locked[place]?.link ? (locked[place]?.resolved ?? place) : place)
    }
  }
  return needed
}

/**
 * Like Node: in the folder of the package that needs it, then in the folders above.
 * @type {(locked: LockedPackages, from: string, name: string) => string | undefined}
 */
function find(locked, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (locked[place] !== undefined) return place
    if (folder === '') return undefined
  }
}

/** @type {(part: LockedPackage, system: { platform: string, arch: string }) => boolean} */
function isFor({ os = [], cpu, libc }, { platform, arch }) {
  return os.includes(platform) && (cpu?.includes(arch) ?? true) && (libc?.includes('glibc') ?? true)
}

/** @type {(path: string) => LockedPackages | undefined} */
function readPackages(path) {
  try {
    return /** @type {{ packages: LockedPackages }} */ (JSON.parse(readFileSync(path, 'utf8'))).packages
  } catch {
    return undefined
  }
}
