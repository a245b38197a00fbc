import { describe, expect, it } from 'vitest'
import type { RunCommand } from '../run-command.ts'
import { chooseName } from './default-name.ts'
import { readMachine, type MachineWorld } from './read-machine.ts'

function worldOf(
  platform: NodeJS.Platform,
  files: Record<string, string>,
  outputs: Record<string, string> = {},
): MachineWorld {
  const run: RunCommand = (command) => {
    const stdout = outputs[command]
    return Promise.resolve({ code: stdout === undefined ? undefined : 0, stdout: stdout ?? '', stderr: '' })
  }
  return {
    platform,
    run,
    read: (path) => files[path] ?? '',
    processors: () => Array.from({ length: 12 }, () => ({ model: 'Intel(R) Core(TM)  i7-1365U' })),
    memoryBytes: () => 34_359_738_368,
    version: () => 'Windows 11 Pro',
  }
}

const DMI = '/sys/devices/virtual/dmi/id'
const HARDWARE = { processor: 'Intel(R) Core(TM) i7-1365U', cores: 12, memoryBytes: 34_359_738_368 }

describe('a machine describes itself', () => {
  it('on Linux', async () => {
    const files = {
      [`${DMI}/sys_vendor`]: 'LENOVO\n',
      [`${DMI}/product_name`]: '21HMCTO1WW\n',
      [`${DMI}/product_version`]: 'ThinkPad X1 Carbon Gen 11\n',
      '/etc/os-release': 'NAME="Ubuntu"\nPRETTY_NAME="Ubuntu 24.04.1 LTS"\n',
    }
    const described = { model: 'ThinkPad X1 Carbon Gen 11', system: 'Ubuntu 24.04.1 LTS', ...HARDWARE }
    expect(await readMachine(worldOf('linux', files))).toEqual(described)
  })

  it('on a Raspberry Pi', async () => {
    const files = { '/proc/device-tree/model': 'Raspberry Pi 5 Model B Rev 1.0\0' }
    expect(await readMachine(worldOf('linux', files))).toMatchObject({ model: 'Raspberry Pi 5 Model B Rev 1.0' })
  })

  it('on macOS', async () => {
    const outputs = { system_profiler: '    Hardware:\n      Model Name: MacBook Pro\n', sw_vers: '15.2\n' }
    const described = { model: 'MacBook Pro', system: 'macOS 15.2', ...HARDWARE }
    expect(await readMachine(worldOf('darwin', {}, outputs))).toEqual(described)
  })

  it('on Windows', async () => {
    const reg = '    SystemManufacturer    REG_SZ    Dell Inc.\r\n    SystemProductName    REG_SZ    XPS 15 9530\r\n'
    const described = { model: 'XPS 15 9530', system: 'Windows 11 Pro', ...HARDWARE }
    expect(await readMachine(worldOf('win32', {}, { reg }))).toEqual(described)
  })

  it.each(['To Be Filled By O.E.M.', 'System Product Name', 'Default string', 'Standard PC (Q35 + ICH9, 2009)', 'KVM'])(
    'without a model if the maker wrote "%s"',
    async (name) => {
      const machine = await readMachine(worldOf('linux', { [`${DMI}/product_name`]: name }))
      expect(machine).toEqual({ system: 'Linux', ...HARDWARE })
    },
  )

  it('within the limits of the protocol', async () => {
    const { model } = await readMachine(worldOf('linux', { [`${DMI}/product_name`]: 'x'.repeat(500) }))
    expect(model).toHaveLength(128)
  })
})

describe('the name of a device', () => {
  it.each([
    ["Ada's MacBook Pro", { computerName: "Ada's MacBook Pro", hostname: 'Adas-MBP.local', model: 'MacBook Pro' }],
    ['mac-studio', { hostname: 'mac-studio.local' }],
    ['gpu-box-3', { hostname: 'gpu-box-3', model: 'PowerEdge R760', user: 'root' }],
    ['ThinkPad X1', { hostname: 'ubuntu', model: 'ThinkPad X1', user: 'root' }],
    ["Ada's ThinkPad X1", { hostname: 'DESKTOP-4K2J1QF', model: 'ThinkPad X1', user: 'ada' }],
    ["Ada's computer", { hostname: 'localhost', user: 'ada' }],
    ['MacBook Pro', { computerName: 'MacBook Pro', hostname: 'MacBook-Pro.local', model: 'MacBook Pro', user: 'root' }],
    ['vm', { hostname: 'vm', user: 'root' }],
    ['ip-10-0-0-1', { hostname: 'ip-10-0-0-1', user: 'ec2-user' }],
    ['device', { hostname: '' }],
  ])('is %s', (name, facts) => {
    expect(chooseName(facts)).toBe(name)
  })
})
