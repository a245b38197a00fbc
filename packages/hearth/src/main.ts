#!/usr/bin/env node
// The hearth command. Each of its commands is loaded only when it runs: `status` needs no gateway.

import { enableCompileCache } from 'node:module'

const OLDEST_NODE = 24

if (Number(process.versions.node.split('.', 1)[0]) < OLDEST_NODE) {
  console.error(
    `\nHearth needs Node ${OLDEST_NODE} or later, and this is Node ${process.versions.node}. Run "npm ci", which installs one, and then "npm start"\n`,
  )
  process.exit(2)
}
enableCompileCache()
const { runHearth } = await import('./commands/run-hearth.ts')
const code = await runHearth(process.argv.slice(2))
if (code !== undefined) process.exitCode = code
