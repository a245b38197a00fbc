// Kills everything at any moment, also while it starts, and looks for every row that was confirmed.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeDataFolder } from '../../testing/data-folder.ts'
import { openStore } from '../open-store.ts'
import { readServerNote } from './find-server.ts'
import { folderLayout, type FolderLayout } from './folder-layout.ts'

const ROUNDS = 50
const MOST_MS = 1_500
const OPEN_STORE = new URL('../open-store.ts', import.meta.url).href
/** Prints the name of every row that the database has confirmed. */
const WRITER = `
  const { openStore } = await import(${JSON.stringify(OPEN_STORE)})
  const [folder, organization, round] = process.argv.slice(1)
  const store = await openStore('embedded:' + folder)
  const write = async (writer) => {
    for (let number = 0; ; number++) {
      const name = [round, writer, number].join('-')
      await store.enableModel({ organization, name })
      process.stdout.write(name + '\\n')
    }
  }
  await Promise.all([write('a'), write('b'), write('c')])
`

it('keeps every confirmed row, whatever is killed and whenever', { timeout: 900_000 }, async () => {
  const folder = await makeDataFolder()
  const layout = folderLayout(folder)
  const organization = await makeOrganization(folder)
  const confirmed: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const writer = startWriter(folder, organization, round, confirmed)
    // In every other round it is killed for sure while it writes, otherwise perhaps while it starts.
    if (round % 2 === 0) await Promise.race([once(writer.stdout!, 'data'), once(writer, 'close')])
    await sleep(Math.random() * MOST_MS)
    await killAll(layout, writer)
  }
  const store = await openStore(`embedded:${folder}`)
  const kept = new Set((await store.listModels(organization)).map(({ name }) => name))
  await store.close()
  rmSync(folder, { recursive: true })
  expect(confirmed.filter((name) => !kept.has(name))).toEqual([])
  expect(confirmed).not.toEqual([])
})

async function makeOrganization(folder: string): Promise<string> {
  const store = await openStore(`embedded:${folder}`)
  const { id } = await store.createOrganization({ name: 'Acme' })
  await store.close()
  return id
}

function startWriter(folder: string, organization: string, round: number, confirmed: string[]): ChildProcess {
  const args = ['--input-type=module', '-e', WRITER, folder, organization, String(round)]
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  // A line that was cut off is no confirmed row's name.
  createInterface({ input: writer.stdout }).on('line', (name) => /-\d+$/.test(name) && confirmed.push(name))
  return writer
}

/** In any order. */
async function killAll(layout: FolderLayout, writer: ChildProcess): Promise<void> {
  const pids = [writer.pid, readServerNote(layout)?.pid, postmaster(layout)]
  for (const pid of pids.toSorted(() => Math.random() - 0.5)) if (pid !== undefined) kill(pid)
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'close')
}

function postmaster(layout: FolderLayout): number | undefined {
  try {
    return Number(readFileSync(join(layout.cluster, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  } catch {
    return undefined
  }
}

function kill(pid: number): void {
  // A file that is just being written may have no number yet, and 0 means everyone in this group of processes.
  if (!(pid > 0)) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process is gone already.
  }
}
