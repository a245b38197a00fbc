// What the processes behind `npm start` hold in memory stays there, whatever signal they get.

import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { leaveOut } from '@hearth/command-line/testing/leave-out'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client/client.ts'
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
const CANARY = 'the canary sings in its cage'
/** Whoever crashes leaves its memory in its folder, if the system is set so. */
const WITH_DUMPS = 'ulimit -c unlimited; exec "$@"'

const dumpsAreFiles = isLinux('core dumps') && !readFileSync('/proc/sys/kernel/core_pattern', 'utf8').startsWith('|')
if (!dumpsAreFiles) leaveOut('core dumps: the system hands them to a program')

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
    const messages = [{ role: 'user', content: CANARY }]
    expect(await client.post({ model: 'tiny', messages, max_tokens: 4 })).toMatchObject({ status: 200 })
  }

  it('open no inspector on SIGUSR1', async () => {
    for (const [name, pid] of await processes()) {
      process.kill(pid, 'SIGUSR1')
      // Passes through all of them.
      await ask()
      expect(portsOf(pid), name).not.toContain(INSPECTOR)
    }
  })

  it.runIf(dumpsAreFiles)('leave no prompt in a core dump', async () => {
    await ask()
    for (const [name, pid] of await processes()) {
      process.kill(pid, 'SIGSEGV')
      await expect.poll(() => isGone(pid), { message: name }).toBe(true)
      // What there is has no memory in it.
      for (const dump of readdirSync(folder))
        expect(readFileSync(join(folder, dump)).includes(CANARY), name).toBe(false)
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
