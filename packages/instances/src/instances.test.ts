import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import { chooseOne } from './choose-one.ts'
import { findCheckout } from './find-checkout.ts'
import { claimFolder, readClaim } from './claim-folder.ts'
import { describeInstance, type Instance } from './instance.ts'
import { identifyProcess, isRunning } from './process-identity.ts'
import { listInstances, registerInstance } from './registry.ts'

let home: string
let data: string
let environment: { XDG_STATE_HOME: string }

beforeEach(() => {
  home = scratchFolder()
  data = join(home, 'data')
  mkdirSync(data)
  environment = { XDG_STATE_HOME: join(home, 'state') }
})

function instanceIn(folder: string, process: { pid: number; processStart: string }): Instance {
  return { kind: 'hearth', folder, url: 'http://127.0.0.1:8080', startedAt: '2026-01-01T00:00:00.000Z', ...process }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('the list of instances', () => {
  const register = (folder: string) => {
    const instance = describeInstance({ kind: 'hearth', folder, url: 'http://u' })
    registerInstance(instance, environment)
    return instance
  }

  it('is empty, and creates nothing, where Hearth never ran', () => {
    expect(listInstances(environment)).toStrictEqual([])
    expect(readdirSync(home)).toStrictEqual(['data'])
  })

  it('has each folder once, in a file that only its owner can read', () => {
    register(data)
    const again = register(data)
    expect(listInstances(environment)).toStrictEqual([again])
    const folder = join(environment.XDG_STATE_HOME, 'hearth', 'instances')
    const files = readdirSync(folder)
    expect(files).toHaveLength(1)
    expect(statSync(join(folder, files[0]!)).mode & 0o777).toBe(0o600)
  })

  it('has a gateway on its own only while it runs, with its address for others', () => {
    const about = { kind: 'gateway' as const, folder: data, url: 'http://u', publicUrl: 'https://p', unit: 'h.service' }
    const gateway = describeInstance(about)
    registerInstance(gateway, environment)
    expect(listInstances(environment)).toStrictEqual([gateway])
    registerInstance({ ...gateway, pid: 0 }, environment)
    expect(listInstances(environment)).toStrictEqual([])
    expect(existsSync(data)).toBe(true)
  })

  it('forgets what is gone or damaged', () => {
    const other = join(home, 'other')
    mkdirSync(other)
    register(other)
    register(data)
    const folder = join(environment.XDG_STATE_HOME, 'hearth', 'instances')
    writeFileSync(join(folder, 'damaged.json'), '{"folder": ')
    rmSync(other, { recursive: true })
    expect(listInstances(environment).map((instance) => instance.folder)).toStrictEqual([data])
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('is where the system keeps the state of apps', () => {
    const instance = describeInstance({ kind: 'hearth', folder: data, url: 'http://u' })
    registerInstance(instance, { HOME: home, LOCALAPPDATA: home })
    const place = { darwin: 'Library/Application Support/Hearth', win32: 'Hearth' }[process.platform as string]
    expect(readdirSync(join(home, place ?? '.local/state/hearth', 'instances'))).toHaveLength(1)
  })
})

describe('a process', () => {
  it('is not taken for a later one with the same ID', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e9)'])
    const known = identifyProcess(child.pid!)
    expect(isRunning(known)).toBe(true)
    expect(isRunning({ ...known, processStart: '1 another start' })).toBe(process.platform === 'win32')
    await end(child)
    expect(isRunning(known)).toBe(false)
  })
})

describe('a data folder', () => {
  it('belongs to one process, until that has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e9)'])
    const theirs = instanceIn(data, identifyProcess(child.pid!))
    expect(claimFolder(theirs)).toBeUndefined()
    const mine = { ...instanceIn(data, identifyProcess(process.pid)), url: 'http://127.0.0.1:9' }
    expect(claimFolder(mine)).toStrictEqual(theirs)
    expect(readClaim(data)).toStrictEqual(theirs)
    await end(child)
    expect(readClaim(data)).toBeUndefined()
    expect(claimFolder(mine)).toBeUndefined()
    expect(readClaim(data)).toStrictEqual(mine)
    expect(readdirSync(data)).toStrictEqual(['running.json'])
  })

  it('can be claimed if the claim is damaged', () => {
    writeFileSync(join(data, 'running.json'), '{')
    expect(claimFolder(instanceIn(data, identifyProcess(process.pid)))).toBeUndefined()
    expect(readFileSync(join(data, 'running.json'), 'utf8')).toContain(String(process.pid))
  })
})

describe('the choice', () => {
  const [one, two] = ['/srv/one/data', '/srv/two/data']
  function choose(places: Record<string, boolean>, here = '/', isChange = false, checkout?: string) {
    const items = Object.entries(places).map(([folder, isRunning]) => ({
      folder,
      isRunning,
      option: `--data ${folder}`,
    }))
    const reject = (text: string): never => {
      throw new Error(text)
    }
    return chooseOne(items, { here, checkout, isChange, reject })
  }
  const chosen = (...question: Parameters<typeof choose>) => choose(...question)?.chosen.folder

  it('is the only one', () => {
    expect(choose({ [one]: false })).toStrictEqual({ chosen: expect.objectContaining({ folder: one }) })
    expect(choose({})).toBeUndefined()
  })

  it('is one that runs, and else the last started', () => {
    expect(chosen({ [one]: false, [two]: true })).toBe(two)
    expect(chosen({ [one]: false, [two]: false })).toBe(one)
  })

  it('is the one that runs where the person is, even if another was started later', () => {
    for (const here of ['/srv/two', '/srv/two/data', '/srv/two/data/device'])
      expect(choose({ [one]: true, [two]: true }, here, true)).toStrictEqual({
        chosen: expect.objectContaining({ folder: two }),
      })
    expect(chosen({ [one]: true, [two]: true }, '/srv/two/docs')).toBe(one)
    expect(chosen({ [one]: false, [two]: false }, '/srv/two', true)).toBe(two)
  })

  it('is that of the checkout where the person is, in any of its folders', () => {
    expect(choose({ [one]: true, [two]: true }, '/srv/two/docs/clients', true, '/srv/two')).toStrictEqual({
      chosen: expect.objectContaining({ folder: two }),
    })
    expect(chosen({ '/srv/two/other': true, [two]: true }, '/srv/two/other/device', true, '/srv/two')).toBe(
      '/srv/two/other',
    )
  })

  it('is said if it could be another, and left to the person before anything is changed', () => {
    expect(choose({ [one]: true, [two]: true })?.note).toBe(
      `Using ${one}, one of 2 on this machine. To choose another: --data ${two}`,
    )
    for (const runs of [true, false])
      expect(() => choose({ [one]: runs, [two]: runs }, '/', true)).toThrow(
        /not clear which[^]*--data \/srv\/one\/data[^]*--data \/srv\/two/,
      )
    // The one of this folder has stopped, and another one runs.
    expect(() => choose({ [one]: false, [two]: true }, '/srv/one', true)).toThrow(
      /two\/data \(running\)\n.*one\/data \(stopped\)/,
    )
  })
})

describe('a checkout', () => {
  it('is found from each of its folders, and not by another package', () => {
    const deep = join(home, 'packages', 'gateway', 'src')
    mkdirSync(deep, { recursive: true })
    writeFileSync(join(home, 'packages', 'gateway', 'package.json'), '{"name": "@hearth/gateway"}')
    expect(findCheckout(deep)).toBeUndefined()
    writeFileSync(join(home, 'package.json'), '{"name": "hearth", "workspaces": ["packages/*"]}')
    expect([findCheckout(deep), findCheckout(home)]).toStrictEqual([home, home])
  })
})
