// `npm run servers`: the contract on every real server that can be installed here. Prints a table, and keeps it for docs/local-servers.md.

import { readFileSync, writeFileSync } from 'node:fs'
import { runContract, type Column } from './contract/run-contract.ts'
import type { Driver } from './drivers/driver.ts'
import { LLAMA_SERVER } from './drivers/llama-server.ts'
import { MLX_LM } from './drivers/mlx-lm.ts'
import { OLLAMA } from './drivers/ollama.ts'
import { VLLM } from './drivers/vllm.ts'

const HELP = `Tries every real server that can be installed here: the same requests through Hearth and directly, and what happens to a server that runs
for long. The first run installs them, which takes an hour, into ~/.cache/hearth-servers or where HEARTH_SERVERS says.

  npm run servers                  all of them
  npm run servers -- ollama vllm   those
  npm run servers -- ollama:tools  one row of the table, which isn't kept

Servers: `

const DRIVERS: readonly Driver[] = [LLAMA_SERVER, OLLAMA, VLLM, MLX_LM]
const MARKS = { yes: '✓', limit: '·', wrong: '✗' } as const
const RESULTS = new URL('results.json', import.meta.url)

const words = process.argv.slice(2)
const chosen = words.map((word) => word.split(':'))
const drivers = words.length === 0 ? DRIVERS : DRIVERS.filter(({ name }) => chosen.some(([wanted]) => wanted === name))
if (drivers.length === 0) {
  console.log(HELP + DRIVERS.map(({ name }) => name).join(', '))
  process.exitCode = words[0]!.startsWith('-') ? 0 : 2
}
for (const driver of drivers) await tryServer(driver)

async function tryServer(driver: Driver): Promise<void> {
  const fields = chosen.flatMap(([name, field]) => (name === driver.name && field !== undefined ? [field] : []))
  const column = await runContract(driver, console.log, (field) => fields.length === 0 || fields.includes(field))
  printColumn(column)
  if (Object.values(column.cells).some(({ verdict }) => verdict === 'wrong')) process.exitCode = 1
  if (fields.length === 0) keep(driver.name, column)
}

function printColumn({ title, version, date, cells }: Column): void {
  console.log(`\n${title} ${version}, ${date}`)
  for (const [field, { verdict, note }] of Object.entries(cells))
    console.log(`${MARKS[verdict]} ${field.padEnd(20)} ${note}`.trimEnd())
}

function keep(name: string, column: Column): void {
  const before = JSON.parse(readFileSync(RESULTS, 'utf8')) as Record<string, Column>
  writeFileSync(RESULTS, `${JSON.stringify({ ...before, [name]: column }, undefined, 2)}\n`)
}
