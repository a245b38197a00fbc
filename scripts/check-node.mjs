// Looks whether the Node of Hearth runs, before it does: `npm start` runs this file with it, and if that fails, with the Node that npm itself
// runs on, to say why.

import { findSystemStops, readSystem } from '../packages/command-line/src/machine/system.js'

const OLDEST_NODE = 24
const isOld = Number.parseInt(process.versions.node, 10) < OLDEST_NODE

if (process.argv[2] === 'why') {
  const [stop = { what: `Hearth needs Node ${OLDEST_NODE} or later`, remedy: 'run "npm ci", which installs one' }] =
    findSystemStops(readSystem(), { runsModels: false, hasDatabase: true })
  console.error(`\nCannot start Hearth: ${stop.what}. ${stop.remedy.charAt(0).toUpperCase()}${stop.remedy.slice(1)}\n`)
}
process.exitCode = process.argv[2] === 'why' || isOld ? 1 : 0
