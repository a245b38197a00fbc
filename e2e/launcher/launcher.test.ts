// All of `npm start`, with a model that is small enough to load at once.

import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@hearth/gateway/local-servers'
import { makeDataFolder } from '@hearth/gateway/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildConsole } from '../console/harness/build-console.ts'
import { startLauncher, type LauncherProcess } from '../harness/launcher-process.ts'
import { descendantsOf, listProcesses } from '../harness/process-tree.ts'
import { removeFolder } from '../harness/remove-folder.ts'
import type { CompletionBody } from '../harness/reply-shapes.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'

let data: string
let port: number
let flags: string[]

beforeAll(async () => {
  await buildConsole()
  data = await mkdtemp(join(tmpdir(), 'hearth-launcher-'))
  await makeDataFolder(join(data, 'gateway'))
  port = await freePort()
  flags = ['--port', String(port), '--data', data]
})
afterAll(async () => removeFolder(data))

/** Resolves once none of the processes that the launcher had started is left. */
async function nothingIsLeft(parts: readonly { pid: number }[]): Promise<void> {
  const pids = new Set(parts.map(({ pid }) => pid))
  const left = async () => (await listProcesses()).filter(({ pid }) => pids.has(pid)).map(({ command }) => command)
  await expect.poll(left).toStrictEqual([])
}

/** The processes of everything that runs behind a printed panel. */
async function partsOf(launcher: LauncherProcess): Promise<{ pid: number; command: string }[]> {
  const parts = await descendantsOf(launcher.pid)
  const commands = parts.map(({ command }) => command)
  for (const program of ['gateway/src/main.ts', 'device/src/main.ts'])
    expect(commands).toContainEqual(expect.stringContaining(program))
  return parts
}

async function runCurlOf(launcher: LauncherProcess): Promise<CompletionBody> {
  const [line] = await launcher.heard(/^ {2}curl .*$/m)
  const { stdout } = await promisify(execFile)('sh', ['-c', line])
  return JSON.parse(stdout) as CompletionBody
}

describe('npm start', () => {
  // Before the others: they show that the next start works.
  it('[R16] says why something does not come up, and leaves nothing running', async () => {
    await using launcher = startLauncher(flags, { QUEUE_PER_KEY: 'many' })
    expect(await launcher.exited).toBe(1)
    expect(launcher.output()).toMatch(
      /gateway stopped .* before it was ready.*\n\n.*QUEUE_PER_KEY.*\n\n.*npm start again/,
    )
    expect(await descendantsOf(launcher.pid)).toStrictEqual([])
  })

  it('[R2] [R13] prints where everything is and a curl command that works, and ends with its terminal', async () => {
    await using launcher = startLauncher([...flags, '--model', TINY_PATH])
    await launcher.heard(/Press Ctrl-C to stop/)
    expect(launcher.output()).toContain(`Base URL   http://127.0.0.1:${port}/openai/v1\n`)
    expect(launcher.output()).toContain(`Console    http://127.0.0.1:${port}/invitation#`)
    const { choices } = await runCurlOf(launcher)
    expect(choices[0]!.message.content).not.toBe('')
    const parts = await partsOf(launcher)
    launcher.signal('SIGHUP')
    await nothingIsLeft(parts)
  })

  it('[R2] [R13] prints its key only once, and leaves nothing running when it is killed', async () => {
    await using launcher = startLauncher(flags)
    await launcher.heard(/Press Ctrl-C to stop/)
    expect(launcher.output()).toMatch(/API key +shown once at first start/)
    expect(launcher.output()).not.toContain('sk-hearth-')
    const parts = await partsOf(launcher)
    launcher.signal('SIGKILL')
    await nothingIsLeft(parts)
  })

  it('[R13] leaves no gateway when it is killed while the gateway starts', async () => {
    await using launcher = startLauncher([...flags, '--no-device'])
    await launcher.heard(/gateway: starting/)
    await expect.poll(async () => descendantsOf(launcher.pid)).not.toStrictEqual([])
    const parts = await descendantsOf(launcher.pid)
    launcher.signal('SIGKILL')
    await nothingIsLeft(parts)
  })

  it('[R15a] runs several gateways, and starts again after all were killed', async () => {
    await using launcher = startLauncher([...flags, '--gateways', '3', '--model', TINY_PATH])
    await launcher.heard(/Press Ctrl-C to stop/)
    const parts = await partsOf(launcher)
    const gateways = parts.filter(({ command }) => command.includes('gateway/src/main.ts')).map(({ pid }) => pid)
    expect(gateways).toHaveLength(3)
    const [, printed] = await launcher.heard(/3 share this address \(process IDs (.*)\)/)
    expect(new Set(printed!.split(', ').map(Number))).toStrictEqual(new Set(gateways))
    // Gateways whose launcher dies leave properly; these don't get the chance.
    launcher.signal('SIGKILL')
    for (const pid of gateways) process.kill(pid, 'SIGKILL')
    await nothingIsLeft(parts)
    await using again = startLauncher([...flags, '--gateways', '3', '--model', TINY_PATH])
    await again.heard(/Press Ctrl-C to stop/)
  })

  it.each([[['--port', '0']], [['--colour']], [['--data', TINY_PATH]]])('exits with 2 for %j', async (wrong) => {
    await using launcher = startLauncher(wrong)
    expect(await launcher.exited).toBe(2)
    expect(launcher.output()).toContain(wrong.at(-1))
  })
})
