// `npm run operations`: an operator's week. Every step runs the commands of docs/operate.md on real processes and reports its figures.

import { parseArgs } from 'node:util'
import { beginCommand, tableOf } from '../harness/command.ts'
import { backUp } from './steps/backup.ts'
import { fillDisk } from './steps/disk.ts'
import { hang } from './steps/hang.ts'
import { install } from './steps/install.ts'
import { move } from './steps/move.ts'
import { restart } from './steps/restart.ts'
import { restore } from './steps/restore.ts'
import { rotateSecrets } from './steps/secrets.ts'
import { update } from './steps/update.ts'
import { Week, type Figure, type Step } from './week.ts'

const STEPS: Record<string, readonly [does: string, run: Step]> = {
  install: ['starts Hearth on a fresh folder, and asks', install],
  backup: ['backs up while requests run', backUp],
  restore: ['restores into another folder, compares every table, and starts there', restore],
  move: ["moves to a PostgreSQL of one's own, and back", move],
  secrets: ['rotates the key of secrets while people are signed in', rotateSecrets],
  disk: ['fills the disk (a small one, which only root can mount)', fillDisk],
  hang: ['hangs the gateway, the device and the database', hang],
  restart: ['restarts without a gap, with a stream that goes on', restart],
  update: ['updates a checkout by one commit, without a gap', update],
}
const HELP = `Runs an operator's week on real processes: installs Hearth, backs it up, moves it, breaks it, updates it.

  npm run operations -- [--only STEP,STEP]

${Object.entries(STEPS)
  .map(([name, [does]]) => `  ${name.padEnd(8)}  ${does}`)
  .join('\n')}

Takes about ten minutes. Exits with 1 if a step fails.`

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
if (values.help) console.log(HELP)
else await run(chooseSteps(values.only))

async function run(names: readonly string[]): Promise<void> {
  await using week = await Week.begin()
  beginCommand(() => week[Symbol.asyncDispose]())
  const rows: string[][] = []
  for (const name of names) {
    console.log(`${name}: ${STEPS[name]![0]}`)
    const since = performance.now()
    const figures = await take(name, week)
    console.log(`  ${((performance.now() - since) / 1_000).toFixed(0)} s\n`)
    rows.push(...figures.map(({ what, figure, result }) => [name, what, figure, result]))
    if (figures.some(({ result }) => result === 'NOT MET')) process.exitCode = 1
  }
  console.log(tableOf(['Step', 'What', 'Figure', 'Result'], rows))
}

async function take(name: string, week: Week): Promise<Figure[]> {
  try {
    return await STEPS[name]![1](week)
  } catch (error) {
    console.log(error)
    await week.recover()
    const [why = ''] = String(error).split('\n', 1)
    return [{ what: 'the step ended', figure: why, result: 'NOT MET' }]
  }
}

function chooseSteps(only: string | undefined): string[] {
  const names = Object.keys(STEPS)
  const wanted = only?.split(',') ?? names
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown === undefined) return names.filter((name) => wanted.includes(name))
  throw new Error(`There is no step "${unknown}". Steps: ${names.join(', ')}`)
}
