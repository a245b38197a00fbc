// Describes this machine in the words of its maker and its system, so that people can tell their devices apart. Everything here is a guess
// that may fail: a missing fact is left out.

import { cpus, version } from 'node:os'
import { MAX_MACHINE_TEXT, type Machine } from '@hearth/protocol'
import { availableMemory } from '@hearth/command-line/machine/available-memory'
import type { RunCommand } from '../run-command.ts'
import { readText } from '@hearth/command-line/files/read-text'

/** Where the answers come from. */
export interface MachineWorld {
  platform: NodeJS.Platform
  run: RunCommand
  /** The text of a file; empty if there is none. */
  read: (path: string) => string
  processors: () => readonly { model: string }[]
  memoryBytes: () => number
  /** The system's own words for its version. */
  version: () => string
}

const ASK_MS = 3_000
const DMI = '/sys/devices/virtual/dmi/id'
const BIOS = 'HKLM\\HARDWARE\\DESCRIPTION\\System\\BIOS'
/** Boards whose maker never filled in a name, and virtual machines. */
const NO_NAME =
  /^$|filled by|default string|product name|not specified|not applicable|^none$|^undefined$|unknown|^version$|^\d[\d.]*$|standard pc|virtual|^(kvm|qemu|bochs|hvm domu|x)$/i

export function thisMachine(run: RunCommand): MachineWorld {
  return {
    platform: process.platform,
    run,
    read: (path) => readText(path) ?? '',
    processors: cpus,
    memoryBytes: () => availableMemory().total,
    version,
  }
}

export async function readMachine(world: MachineWorld): Promise<Machine> {
  const [model, system] = await Promise.all([readModel(world), readSystem(world)])
  const processors = world.processors()
  return {
    ...fact('model', model),
    ...fact('system', system),
    ...fact('processor', processors[0]?.model),
    ...(processors.length > 0 && { cores: processors.length }),
    memoryBytes: world.memoryBytes(),
  }
}

async function readModel({ platform, run, read }: MachineWorld): Promise<string | undefined> {
  if (platform === 'darwin') return await macModel(run)
  const named = platform === 'win32' ? await windowsNames(run) : linuxNames(read)
  return named.map((name) => name.trim()).find((name) => !NO_NAME.test(name))
}

/** Lenovo writes the name that people know where others have a version. */
function linuxNames(read: MachineWorld['read']): string[] {
  const isLenovo = /lenovo/i.test(read(`${DMI}/sys_vendor`))
  return [
    ...(isLenovo ? [read(`${DMI}/product_version`)] : []),
    read(`${DMI}/product_name`),
    read('/proc/device-tree/model').replaceAll('\0', ''),
  ]
}

async function windowsNames(run: RunCommand): Promise<string[]> {
  const { stdout } = await run('reg', ['query', BIOS], { timeoutMs: ASK_MS })
  const value = (name: string): string => new RegExp(`${name}\\s+REG_SZ\\s+(.+)`).exec(stdout)?.[1] ?? ''
  const isLenovo = /lenovo/i.test(value('SystemManufacturer'))
  return [...(isLenovo ? [value('SystemVersion')] : []), value('SystemProductName')]
}

async function macModel(run: RunCommand): Promise<string | undefined> {
  const { stdout } = await run('system_profiler', ['SPHardwareDataType'], { timeoutMs: ASK_MS })
  return /Model Name: (.+)/.exec(stdout)?.[1]
}

async function readSystem({ platform, run, read, version }: MachineWorld): Promise<string | undefined> {
  if (platform === 'win32') return version()
  if (platform === 'darwin')
    return `macOS ${(await run('sw_vers', ['-productVersion'], { timeoutMs: ASK_MS })).stdout.trim()}`
  return /^PRETTY_NAME="?(.+?)"?$/m.exec(read('/etc/os-release'))?.[1] ?? 'Linux'
}

/** The protocol allows no longer text. */
function fact(name: keyof Machine, text: string | undefined): Machine {
  const short = text?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MACHINE_TEXT)
  return short === undefined || short === '' ? {} : { [name]: short }
}
