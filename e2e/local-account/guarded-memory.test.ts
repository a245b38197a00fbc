// What the processes behind `npm start` hold in memory stays there, whatever signal they get.

import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client/client.ts'
import { QUESTION } from '../harness/client/under-load.ts'
import { isLinux } from '../harness/leave-out.ts'
import { descendantsOf } from '../harness/processes/process-tree.ts'
import { watchOutput, type WatchedOutput } from '../harness/processes/watch-output.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { clientOf } from '../launcher/launched-parts.ts'
import { newPlace, type Place } from '../launcher/new-place.ts'

const MAIN = fileURLToPath(new URL('../../packages/hearth/src/main.ts', import.meta.url))
/** Each of them has prompts or keys in its memory. None needs one that is before it in this list. */
const PROGRAMS = ['render-host.ts', 'engine-host.ts', 'device/src/main.ts', 'embedded/main.ts', 'gateway/src/main.ts']
const INSPECTOR = 9229
/** Whoever crashes leaves its memory in its folder, where the system keeps dumps as files. */
const WITH_DUMPS = 'ulimit -c unlimited; exec "$@"'

describe.runIf(isLinux('the memory of processes'))('the processes behind npm start', () => {
  let place: Place
  let folder: string
  let launcher: ChildProcess & { watched: WatchedOutput }
  let client: Client

  beforeAll(async () => {
    place = await newPlace()
    folder = join(place.data, 'dumps')
    mkdirSync(folder)
    const words = [process.execPath, MAIN, 'start', ...place.flags, '--model', TINY_PATH]
    const child = spawn('sh', ['-c', WITH_DUMPS, 'sh', ...words], {
      cwd: folder,
      env: { ...process.env, HEARTH_INSTALL: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    launcher = Object.assign(child, { watched: watchOutput(child) })
    await launcher.watched.heard(/Press Ctrl-C to stop/)
    client = clientOf(launcher.watched)
  })

  afterAll(async () => {
    launcher.kill('SIGTERM')
    await launcher.watched.exited
    await place[Symbol.asyncDispose]()
  })

  /** By name; a program that can have several processes has one here. */
  async function processes(): Promise<[name: string, pid: number][]> {
    const all = await descendantsOf(launcher.pid!)
    return PROGRAMS.map((name) => [name, all.find(({ command }) => command.includes(name))?.pid ?? NaN])
  }

  async function ask(): Promise<void> {
    expect(await client.post(QUESTION)).toMatchObject({ status: 200 })
  }

  it('open no inspector on SIGUSR1', async () => {
    for (const [name, pid] of await processes()) {
      process.kill(pid, 'SIGUSR1')
      // Passes through all of them.
      await ask()
      expect(portsOf(pid), name).not.toContain(INSPECTOR)
    }
  })

  it('leave no core dump, whatever the limit, and let the system see no memory for one', async () => {
    await ask()
    for (const [name, pid] of await processes()) {
      expect(Number(readFileSync(`/proc/${pid}/coredump_filter`, 'utf8')), name).toBe(0)
      process.kill(pid, 'SIGSEGV')
      await expect.poll(() => isGone(pid), { message: name }).toBe(true)
      expect(readdirSync(folder), name).toEqual([])
    }
  })
})

/** On which it listens. */
function portsOf(pid: number): number[] {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`)))
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.has(`socket:[${inode}]`))
      .map(([, address = '']) => Number.parseInt(address.split(':')[1] ?? '', 16)),
  )
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    // It was closed meanwhile.
    return undefined
  }
}

function isGone(pid: number): boolean {
  try {
    // A dump is written before its process becomes a zombie.
    return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}
