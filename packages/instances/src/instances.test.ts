import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chooseOne } from './choose-one.ts'
import { claimFolder, readClaim } from './claim-folder.ts'
import { describeInstance, type Instance } from './instance.ts'
import { identifyProcess, isRunning } from './process-identity.ts'
import { listInstances, registerInstance } from './registry.ts'

let home: string
let data: string
let environment: { XDG_STATE_HOME: string }

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'hearth-instances-'))
  data = join(home, 'data')
  mkdirSync(data)
  environment = { XDG_STATE_HOME: join(home, 'state') }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

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
  it('is the only one', () => {
    expect(chooseOne(['a'], () => false)).toStrictEqual({ chosen: 'a', isRunning: false, others: 0 })
    expect(chooseOne([], () => false)).toBeUndefined()
  })

  it('is one that runs, and else the last started', () => {
    expect(chooseOne(['a', 'b'], (one) => one === 'b')).toStrictEqual({ chosen: 'b', isRunning: true, others: 0 })
    expect(chooseOne(['a', 'b', 'c'], (one) => one !== 'a')).toStrictEqual({ chosen: 'b', isRunning: true, others: 1 })
    expect(chooseOne(['a', 'b'], () => false)).toStrictEqual({ chosen: 'a', isRunning: false, others: 1 })
  })
})
