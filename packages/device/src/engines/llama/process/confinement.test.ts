import { execFileSync, type ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { leaveOut } from '@hearth/command-line/testing/leave-out'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLlamaEngine } from '../llama-engine.ts'
import { greedy } from '../testing/tiny-engine.ts'
import { TINY_MODEL_PATH } from '../testing/tiny-model.ts'
import { forkHost } from './host-process.ts'

const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const DAC_READ_SEARCH = 2n ** 2n

const hasNetworks = works('unshare', ...(isRoot ? [] : ['--user', '--map-current-user']), '--net', 'true')
const hasRights = works('setpriv', '--no-new-privs', 'true')
if (!hasNetworks) leaveOut('an engine without a network: this user may not make one without')
if (!hasRights) leaveOut("an engine without rights: setpriv isn't installed")

function works(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

afterEach(() => vi.unstubAllEnvs())

/** A program of the system that fails, as where it is forbidden. */
function forbid(...names: string[]): void {
  const folder = scratchFolder()
  for (const name of names) writeFileSync(join(folder, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
}

/** Of a real engine that has answered, and of its processes. */
async function startEngine(path = TINY_MODEL_PATH): Promise<number[]> {
  let child: ChildProcess | undefined
  const engine = createLlamaEngine({ name: 'tiny', path, gpu: false }, (options) => (child = forkHost(options)))
  onTestFinished(() => engine.stop())
  await engine.start(AbortSignal.timeout(240_000))
  for await (const event of engine.run(greedy('Hello'), AbortSignal.timeout(240_000), () => undefined)) void event
  const pid = child!.pid!
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...children.split(' ').filter(Boolean).map(Number)]
}

function rightsOf(pid: number) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) => new RegExp(String.raw`^${name}:\s*(\w+)$`, 'm').exec(status)?.[1] ?? ''
  const [effective = 0n, permitted = 0n] = ['CapEff', 'CapPrm'].map((name) => BigInt(`0x${read(name)}`))
  return { effective, permitted, canGain: read('NoNewPrivs') !== '1' }
}

const NONE = { effective: 0n, permitted: 0n, canGain: false }

/** Without the heading. */
function routesOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/net/route`, 'utf8').trim().split('\n').slice(1)
}

/** All but the loopback. */
function interfacesOf(pid: number): string[] {
  const lines = readFileSync(`/proc/${pid}/net/dev`, 'utf8').trim().split('\n').slice(2)
  return lines.map((line) => line.split(':')[0]!.trim()).filter((name) => name !== 'lo')
}

describe.runIf(process.platform === 'linux')('the process of an engine', () => {
  it.runIf(hasRights && hasNetworks)('has no rights, can gain none, and has no way to any network', async () => {
    for (const pid of await startEngine()) {
      expect(rightsOf(pid)).toEqual(NONE)
      expect([...routesOf(pid), ...interfacesOf(pid)]).toEqual([])
    }
  })

  it.runIf(hasRights)('has no rights where it must keep the network', async () => {
    forbid('unshare')
    for (const pid of await startEngine()) expect(rightsOf(pid)).toEqual(NONE)
  })

  it('answers where the system has none of the programs for this', async () => {
    forbid('unshare', 'setpriv')
    expect(await startEngine()).not.toEqual([])
  })

  it.runIf(isRoot && hasRights)(
    "keeps root's right to read, and no other, for a model in another user's closed folder",
    async () => {
      const folder = join(scratchFolder(), 'closed')
      const path = join(folder, 'tiny.gguf')
      mkdirSync(folder)
      copyFileSync(TINY_MODEL_PATH, path)
      chmodSync(folder, 0o700)
      for (const each of [path, folder]) chownSync(each, NOBODY, NOBODY)
      for (const pid of await startEngine(path))
        expect(rightsOf(pid)).toEqual({ effective: DAC_READ_SEARCH, permitted: DAC_READ_SEARCH, canGain: false })
    },
  )
})
