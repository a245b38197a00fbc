// Every command finds the Hearth that runs on this machine, and a first start ends with everything or leaves nothing behind.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@hearth/gateway/local-servers'
import { makeDataFolder } from '@hearth/gateway/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runHearth, type CommandResult } from '../harness/processes/hearth-command.ts'
import { startLauncher, type LauncherProcess } from '../harness/processes/launcher-process.ts'
import { descendantsOf } from '../harness/processes/process-tree.ts'
import { removeFolder } from '../harness/remove-folder.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { clientOf, isAnswered, nothingIsLeft } from './launched-parts.ts'

const NOT_RUNNING = 3

let home: string
let environment: { HOME: string; XDG_STATE_HOME: string; HEARTH_INSTALL: string }
/** Where no Hearth is. */
let elsewhere: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hearth-home-'))
  elsewhere = await mkdtemp(join(tmpdir(), 'hearth-elsewhere-'))
  environment = { HOME: home, XDG_STATE_HOME: join(home, 'state'), HEARTH_INSTALL: 'on' }
})
afterAll(async () => Promise.all([home, elsewhere].map(removeFolder)))

/** As a person types it, somewhere else than in the data folder. */
function hearth(...words: string[]): Promise<CommandResult> {
  return runHearth(words, { cwd: elsewhere, environment })
}

describe('where Hearth never ran', () => {
  it.each([
    ['status', NOT_RUNNING],
    ['status --data /nonexistent', NOT_RUNNING],
    ['open', NOT_RUNNING],
    ['logs', 1],
    ['device status', NOT_RUNNING],
    ['device pause', NOT_RUNNING],
    ['device resume', NOT_RUNNING],
    ['device models list', 0],
    ['admin key list', 2],
    ['admin organization list', 2],
    ['admin key list --data ./data', 2],
  ])('hearth %s creates nothing, and exits with %i', async (line, code) => {
    expect(await hearth(...line.split(' '))).toMatchObject({ code })
    expect(await readdir(home)).toStrictEqual([])
    expect(await readdir(elsewhere)).toStrictEqual([])
  })

  it.each([
    ['statsu', 'status'],
    ['doctor', 'device doctor'],
    ['key list', 'admin key list'],
  ])('hearth %s asks whether %s is meant', async (line, meant) => {
    const { code, error } = await hearth(...line.split(' '))
    expect(code).toBe(2)
    expect(error).toMatch(new RegExp(`Did you mean (.*hearth'? )?${meant}\\?`))
  })

  it('a start with a model that does not exist creates nothing, and says what may be meant', async () => {
    const data = join(home, 'no-model')
    await using launcher = startLauncher(['--data', data, '--model', 'qwen3:8g'], environment)
    expect(await launcher.exited).toBe(2)
    expect(launcher.output()).toMatch(/Can't find the model "qwen3:8g".*Did you mean qwen3:8b/)
    expect(await readdir(home)).toStrictEqual([])
  })
})

describe('a running Hearth', () => {
  let data: string
  let url: string
  let flags: string[]
  let launcher: LauncherProcess

  beforeAll(async () => {
    const port = await freePort()
    data = join(home, 'data')
    url = `http://127.0.0.1:${port}`
    flags = ['--port', String(port), '--data', data, '--model', TINY_PATH]
    await mkdir(data)
    await makeDataFolder(join(data, 'gateway'))
  })
  afterAll(async () => launcher[Symbol.asyncDispose]())

  /** A start that is killed when the organization and the device are there, and before its panel. */
  async function interruptFirst(): Promise<void> {
    await using first = startLauncher(flags, environment)
    await first.heard('device: adding this machine')
    const parts = await descendantsOf(first.pid)
    first.signal('SIGKILL')
    await nothingIsLeft(parts)
    expect(first.output()).not.toContain('sk-hearth-')
  }

  // Before the others, which ask about this one.
  it('shows a key that works, even if the first start was interrupted, which leaves nothing running', async () => {
    await interruptFirst()
    launcher = startLauncher(flags, environment)
    await launcher.heard(/Press Ctrl-C to stop/)
    await isAnswered(clientOf(launcher))
  })

  it('is what every command talks to', async () => {
    const status = await hearth('status')
    expect(status).toMatchObject({ code: 0, error: '' })
    expect(status.out).toContain(`Base URL   ${url}/openai/v1\n`)
    expect(status.out).toContain(`Data       ${data}\n`)
    expect(await hearth('device', 'status')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Connected to ${url}`),
    })
    expect(await hearth('admin', 'key', 'list')).toMatchObject({ code: 0, out: expect.stringContaining('First key') })
    expect((await hearth('open', '--print')).out).toContain(`${url}/invitation#`)
    expect((await hearth('admin', 'invitation', 'create')).out).toContain(`${url}/invitation#`)
    expect(existsSync(join(home, '.hearth-device'))).toBe(false)
  })

  it('logs what it does, without keys and one-time links', async () => {
    await expect.poll(async () => (await hearth('logs')).out).toMatch(/device: Connected to .*\n[^]*gateway: /)
    const { out } = await hearth('logs', '--lines', '100000')
    expect(out).not.toMatch(/-hearth-\w/)
  })

  it('names a command that runs it wherever it is pasted', async () => {
    const [, command = ''] = /Commands +(\S+) --help\n/.exec(launcher.output()) ?? []
    expect(command).toBe(join(home, '.local', 'bin', 'hearth'))
    const { HOME, XDG_STATE_HOME } = environment
    const printed = execFileSync(command, ['status'], {
      cwd: elsewhere,
      env: { HOME, XDG_STATE_HOME },
      encoding: 'utf8',
    })
    expect(printed).toContain(`(to open it: ${command} open)`)
  })

  it('is paused and resumed by a command that can be pasted', async () => {
    const paused = await hearth('device', 'pause')
    const command = join(home, '.local', 'bin', 'hearth')
    expect(paused).toMatchObject({ code: 0, out: `✓ Paused → to serve again: ${command} device resume\n` })
    await expect.poll(async () => (await hearth('device', 'status')).out).toContain('Not serving: paused')
    expect(await hearth('device', 'resume')).toMatchObject({ code: 0 })
  })

  it('is named by a second start in its folder, whatever the port, and by one on its port', async () => {
    await using second = startLauncher(['--data', data, '--port', String(await freePort())], environment)
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(`Hearth already runs here: ${url} (process ID ${launcher.pid})`)
    await using third = startLauncher(['--port', flags[1]!, '--data', join(home, 'other')], environment)
    expect(await third.exited).toBe(2)
    expect(third.output()).toContain(`in use by the Hearth in ${data} (process ID ${launcher.pid})`)
    expect(existsSync(join(home, 'other'))).toBe(false)
  })

  it('is the one that is meant in its folder, even if another was started later, and elsewhere neither is changed', async () => {
    const later = join(home, 'later', 'data')
    await using second = startLauncher(
      ['--port', String(await freePort()), '--data', later, '--no-device'],
      environment,
    )
    await second.heard(/Press Ctrl-C to stop/)
    const at = (cwd: string, ...words: string[]) => runHearth(words, { cwd, environment })
    expect(await at(home, 'admin', 'key', 'create', 'mine')).toMatchObject({ code: 0 })
    expect((await at(data, 'admin', 'key', 'list')).out).toContain('mine')
    expect((await at(join(home, 'later'), 'admin', 'key', 'list')).out).not.toContain('mine')
    for (const words of [['admin', 'key', 'create', 'x'], ['stop'], ['restart']]) {
      const unclear = await hearth(...words)
      expect(unclear.code).toBe(2)
      for (const folder of [data, later]) expect(unclear.error).toContain(`--data ${folder} (running)`)
    }
    expect((await hearth('status')).error).toContain(`Using ${later}, one of 2`)
    expect(await at(join(home, 'later'), 'stop')).toMatchObject({ code: 0 })
    expect(await second.exited).toBe(0)
    await removeFolder(join(home, 'later'))
  })

  it('replaces its gateway and its device, and keeps the rest', async () => {
    const from = launcher.output().length
    expect(await hearth('restart')).toMatchObject({ code: 0, error: '' })
    for (const said of ['gateway has a successor', 'device is back']) await launcher.heard(said, from)
    await isAnswered(clientOf(launcher))
  })

  it('starts again in the same process with the same options', async () => {
    const from = launcher.output().length
    expect(await hearth('restart', '--everything')).toMatchObject({ code: 0, error: '' })
    await launcher.heard(/Press Ctrl-C to stop/, from)
    expect((await hearth('status')).out).toContain(`Process    ${launcher.pid}, `)
    await isAnswered(clientOf(launcher))
  })

  it('stops, and is still known', async () => {
    expect(await hearth('stop')).toMatchObject({ code: 0, out: expect.stringContaining(`Your data stays in ${data}`) })
    expect(await launcher.exited).toBe(0)
    expect(await hearth('stop')).toMatchObject({ code: NOT_RUNNING })
    const status = await hearth('status')
    expect(status).toMatchObject({ code: NOT_RUNNING, out: expect.stringContaining(`hearth start --data ${data}`) })
    expect(await hearth('device', 'pause')).toMatchObject({
      code: NOT_RUNNING,
      out: `✗ The device app is not running → ${join(home, '.local', 'bin', 'hearth')} start --data ${data}\n`,
    })
    expect(await hearth('admin', 'key', 'list')).toMatchObject({ code: 0, out: expect.stringContaining('First key') })
    expect(existsSync(join(data, 'running.json'))).toBe(false)
  })

  it('leaves its data when its command is uninstalled', async () => {
    expect(await hearth('uninstall')).toMatchObject({ code: 2, error: expect.stringContaining('add --yes') })
    expect(await hearth('uninstall', '--yes')).toMatchObject({ code: 0, out: expect.stringContaining(`\n  ${data}\n`) })
    expect(await readdir(join(home, '.local', 'bin'))).toStrictEqual([])
    expect(existsSync(data)).toBe(true)
  })
})
