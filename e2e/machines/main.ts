// `npm run machines`: Hearth on every machine that this one can pretend to be. Prints a line per machine, and the rows for docs/machines.md.

import { rmSync } from 'node:fs'
import { IMAGE } from './image.ts'
import { WORK, type Machine } from './machine.ts'
import { NEW_USERS } from './new-user.ts'
import { PROCESSORS } from './processors.ts'

const HELP = `Tries Hearth on other machines: as a new user would on small systems, with other Nodes and in other surroundings, in the container image, with
other processors.

  npm run machines                         all of them, which takes two hours
  npm run machines -- debian-12            those whose names start so
  npm run machines -- processor [tests…]   tests (default: the engine's) with every variant of the engine's library`

const MACHINES: readonly Machine[] = [...NEW_USERS, IMAGE, ...PROCESSORS]
const [name = '', ...words] = process.argv.slice(2)
const chosen = MACHINES.filter((machine) => machine.name.startsWith(name))
const rows: string[] = []
const today = new Date().toISOString().slice(0, 10)

if (chosen.length === 0) {
  console.log(`${HELP}\n\nMachines: ${MACHINES.map((machine) => machine.name).join(', ')}`)
  process.exitCode = name.startsWith('-') ? 0 : 2
}
process.once('exit', () => rmSync(WORK, { recursive: true, force: true, maxRetries: 10 }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
for (const machine of chosen) await tryMachine(machine)
if (rows.length > 0) console.log(`\n${rows.join('\n')}`)

async function tryMachine({ name, what, run }: Machine): Promise<void> {
  const since = performance.now()
  const result = await run(words).catch((error: unknown) => {
    process.exitCode = 1
    console.log(error instanceof Error ? error.message : error)
    return 'FAILED'
  })
  const seconds = Math.round((performance.now() - since) / 1000)
  console.log(`${result === 'FAILED' ? '✗' : '✓'} ${name}: ${result}, ${seconds} s`)
  rows.push(`| ${what} | ${today} | ${result} |`)
}
