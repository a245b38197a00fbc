// Makes sure that `node` means the Node of Hearth, that it runs, and that npm has installed what is needed: to run a workspace, or for the tests.
// `npm start` and `npm test` run this file first, with any Node from 18 on. If it fails, they run it again with the Node that npm itself runs on,
// to say why.

import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findMissingPackages } from '../packages/command-line/src/machine/missing-packages.js'
import { findSystemStops, readSystem, sentenceOf } from '../packages/command-line/src/machine/system.js'

const { pinnedNode } = createRequire(import.meta.url)('../packages/command-line/launcher/with-pinned-node.cjs')
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LINK = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
const OLDEST_NODE = 24
const isOld = Number.parseInt(process.versions.node, 10) < OLDEST_NODE

const [needer, why] = process.argv.slice(2)
const isForTests = needer === 'tests'
const missing = findMissingPackages(ROOT, isForTests ? undefined : needer)

if (why !== undefined) {
  const noNode = { what: `Hearth needs Node ${OLDEST_NODE} or later`, remedy: 'run "npm ci", which installs one' }
  const [stop = noNode] = findSystemStops(readSystem(), { runsModels: true, hasDatabase: true })
  console.error(`\nCannot ${isForTests ? 'run the tests' : 'start Hearth'}: ${sentenceOf(missing ?? stop)}\n`)
  process.exitCode = 1
} else {
  const pinned = findPinned()
  if (pinned !== undefined) link(pinned)
  process.exitCode = missing !== undefined || (isOld && !(pinned !== undefined && runs(pinned))) ? 1 : 0
}

function findPinned() {
  try {
    return pinnedNode()
  } catch {
    return undefined
  }
}

/**
 * npm 10, which comes with Node 20 and 22, leaves no link: it removes the packages for other systems, and with them the link, which has the same
 * name for all of them. A script of ours that npm runs after installing can't make it, because no install script runs here (.npmrc).
 * @param {string} node
 */
function link(node) {
  const isWindows = process.platform === 'win32'
  const path = isWindows ? `${LINK}.cmd` : LINK
  if (existsSync(path)) return
  if (isWindows) writeFileSync(path, `@"${node}" %*\r\n`)
  else symlinkSync(relative(dirname(path), node), path)
}

/** @param {string} node */
function runs(node) {
  return spawnSync(node, ['-e', '0']).status === 0
}
