import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { leaveOut } from '@hearth/command-line/testing/leave-out'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runHearth } from '../harness/processes/hearth-command.ts'

const NOT_RUNNING = 3
const NOBODY = 65_534
/** Like the launcher's. */
const WORDS = ['packages/hearth/src/main.ts', 'start']

let place: string
let victim: ChildProcess | undefined

beforeEach(() => {
  place = scratchFolder()
  chmodSync(place, 0o755)
})
afterEach(() => victim?.kill('SIGKILL'))

/** A process of whoever runs this, which any signal ends. */
async function startVictim(words: readonly string[] = [], node = process.execPath): Promise<void> {
  victim = spawn(node, ['-e', 'console.log(); setTimeout(() => {}, 1e9)', ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(victim.stdout!, 'data')
}

/** A claim as Hearth writes it, for that process. */
function claim(name: string, owner = process.getuid!()): string {
  const folder = join(place, name)
  const [, ticks = ''] = /^.*\) (?:\S+ ){19}(\S+)/s.exec(readFileSync(`/proc/${victim?.pid}/stat`, 'utf8')) ?? []
  const processStart = `${ticks} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
  const url = 'http://127.0.0.1:9'
  const instance = {
    kind: 'hearth',
    folder,
    url,
    pid: victim?.pid,
    processStart,
    startedAt: '2026-01-01T00:00:00.000Z',
  }
  mkdirSync(folder)
  writeFileSync(join(folder, 'running.json'), JSON.stringify(instance), { mode: 0o644 })
  for (const path of [join(folder, 'running.json'), folder]) chownSync(path, owner, owner)
  return folder
}

function hearth(words: readonly string[], cwd = '/') {
  return runHearth(words, { cwd, environment: { HOME: place, XDG_STATE_HOME: join(place, 'state') } })
}

async function expectUnharmed(words: readonly string[], cwd?: string): Promise<void> {
  const { code, error } = await hearth(words, cwd)
  expect(code, error).toBe(NOT_RUNNING)
  expect([victim?.exitCode, victim?.signalCode]).toEqual([null, null])
}

const onLinux = process.platform === 'linux'
if (!onLinux) leaveOut('false claims of a running Hearth: this is not Linux')
const isRoot = process.getuid?.() === 0
if (!isRoot) leaveOut('false claims of another account: only root can give files away')

describe.runIf(onLinux)('hearth stop and hearth restart', () => {
  it('believe a claim of a Hearth of the same account', async () => {
    await startVictim(WORDS)
    const ended = once(victim!, 'exit')

    expect(await hearth(['stop', '--data', claim('data')])).toMatchObject({ code: 0 })
    expect(await ended).toEqual([null, 'SIGTERM'])
  })

  it('believe it where the path of its Node has spaces', async () => {
    const folder = join(place, 'Hearth für alle')
    mkdirSync(folder)
    symlinkSync(process.execPath, join(folder, 'node'))
    await startVictim(WORDS, join(folder, 'node'))
    const ended = once(victim!, 'exit')

    expect(await hearth(['stop', '--data', claim('data')])).toMatchObject({ code: 0 })
    expect(await ended).toEqual([null, 'SIGTERM'])
  })

  it('signal no process that is not Hearth', async () => {
    await startVictim()
    const folder = claim('data')

    for (const words of [['stop'], ['restart'], ['restart', '--everything']]) {
      await expectUnharmed(words, place)
      await expectUnharmed([...words, '--data', folder])
    }
  })

  it('signal nothing because of a file that others can write', async () => {
    await startVictim(WORDS)
    chmodSync(join(claim('data'), 'running.json'), 0o666)

    await expectUnharmed(['stop'], place)
  })

  it.runIf(isRoot)('signal nothing that another account has named in a folder of its own', async () => {
    await startVictim(WORDS)
    const folder = claim('data', NOBODY)

    await expectUnharmed(['stop'], place)
    await expectUnharmed(['stop'], folder)
    await expectUnharmed(['restart', '--data', folder])
  })
})
