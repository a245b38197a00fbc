import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { watchServer } from './watch-server.ts'

let folder: string
let child: ChildProcess | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-'))
})
afterEach(() => {
  child?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(program: string): Promise<ChildProcess> {
  const file = join(folder, 'program.mjs')
  writeFileSync(file, program)
  child = fork(file, { execArgv: [] })
  await once(child, 'message')
  return child
}

it('[T24h] ends a database process that has stopped responding', async () => {
  const stuck = await start(`process.send('ready', () => { for (;;); })`)
  watchServer(stuck, { askMs: 10, misses: 3 })
  expect(await once(stuck, 'exit')).toEqual([null, 'SIGKILL'])
})

it('[T24h] leaves a database process alone that responds', async () => {
  const well = await start(`process.on('message', (text) => process.send(text)); process.send('ready')`)
  watchServer(well, { askMs: 1, misses: 10_000 })
  for (let answer = 0; answer < 20; answer++) await once(well, 'message')
  expect([well.exitCode, well.signalCode]).toEqual([null, null])
})
