import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeInstance, registerInstance } from '@hearth/instances'
import { expect, it } from 'vitest'
import { saveCredential } from '../state/credential.ts'
import { writeStatus, type DeviceStatus } from '../state/status-file.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { findHome } from './find-home.ts'

const login = { gateway: 'http://g', device: 'd', organization: 'o', name: 'studio', credential: 'secret' }

/** A device on a machine of its own, with its home. */
function addDevice(machine: string, name: string, kind: 'hearth' | 'device'): string {
  const home = join(machine, name)
  mkdirSync(home)
  saveCredential(join(home, 'credential.json'), login)
  const instance = describeInstance({ kind, folder: home, deviceHome: home, url: 'http://g' })
  registerInstance(instance, environmentOf(machine))
  return home
}

function environmentOf(machine: string): { XDG_STATE_HOME: string } {
  return { XDG_STATE_HOME: join(machine, 'state') }
}

function run(home: string): void {
  const status = { pid: process.pid, updatedAt: new Date().toISOString() } as DeviceStatus
  writeStatus(join(home, 'status.json'), status)
}

it('finds the only device, and knows how it is started', () => {
  const machine = scratchFolder()
  const home = addDevice(machine, 'a', 'hearth')
  expect(findHome('status', environmentOf(machine))).toStrictEqual({
    home,
    startCommand: `hearth start --data ${home}`,
  })
})

it('prefers the device that runs, and if several do, says which one it is and changes none', () => {
  const machine = scratchFolder()
  const [first, second] = [addDevice(machine, 'a', 'device'), addDevice(machine, 'device', 'hearth')]
  run(first)
  expect(findHome('pause', environmentOf(machine))).toStrictEqual({ home: first, startCommand: 'hearth-device start' })
  run(second)
  expect(findHome('status', environmentOf(machine)).note).toMatch(/^Using .*, one of 2 on this machine/)
  expect(() => findHome('pause', environmentOf(machine))).toThrow(/not clear which[^]*--home/)
  expect(findHome('pause', { ...environmentOf(machine), HEARTH_DATA: dirname(second) }).home).toBe(second)
})

it('leaves the device of npm start alone when this machine becomes a device of its own', () => {
  const machine = scratchFolder()
  addDevice(machine, 'a', 'hearth')
  expect(findHome('login', environmentOf(machine)).home).toBeUndefined()
})
