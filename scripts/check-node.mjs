// Looks whether the Node of Hearth runs. npm runs this file with it, and if that fails, with the Node that npm itself runs on, to say why.

const OLDEST_NODE = 24

if (process.argv[2] === 'why') await explain()
else process.exitCode = Number.parseInt(process.versions.node, 10) < OLDEST_NODE ? 1 : 0

async function explain() {
  const { findSystemStops, readSystem } = await import('../packages/command-line/src/machine/system.js')
  const [stop] = findSystemStops(readSystem(), { runsModels: false, hasDatabase: true })
  const { what, remedy } = stop ?? {
    what: `Hearth needs Node ${OLDEST_NODE} or later`,
    remedy: 'run "npm ci", which installs one',
  }
  console.error(`\nCannot start Hearth: ${what}. ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}\n`)
  process.exitCode = 1
}
