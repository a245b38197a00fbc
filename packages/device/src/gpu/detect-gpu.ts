// Detects this machine's GPU by the driver's own files and libraries, so that it is found without any vendor tools. Where those tools are
// installed, they add names and versions.

import { present } from '@hearth/command-line/present'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RunCommand } from '../system/run-command.ts'
import { findLibrary, libraryFolders, versionInName } from './find-libraries.ts'
import { readText } from '@hearth/command-line/files/read-text'
import { listFolder } from '../system/list-folder.ts'

/** The kind of the best rung that it may have. */
export interface Gpu {
  kind: 'cuda' | 'vulkan' | 'metal'
  name: string
  driver?: string
  memoryBytes?: number
}

export interface Machine {
  platform: NodeJS.Platform
  arch: string
}

export interface MachineView {
  machine: Machine
  run: RunCommand
  environment: Readonly<Record<string, string | undefined>>
  /** Where the file system begins: '/', except in tests. */
  root?: string
}

const ASK_MS = 10_000
const NVIDIA_FILES = ['dev/nvidiactl', 'dev/nvidia0', 'proc/driver/nvidia/version']
/** The GPU of Windows inside WSL 2, of any vendor. */
const WSL_FILE = 'dev/dxg'
/** PCI vendors whose cards models can use. Others are virtual or server displays. */
const VULKAN_VENDORS: Readonly<Record<string, string>> = { '0x10de': 'NVIDIA', '0x1002': 'AMD', '0x8086': 'Intel' }

export async function detectGpu(view: MachineView): Promise<Gpu | undefined> {
  const { platform, arch } = view.machine
  if (platform === 'darwin') return arch === 'arm64' ? { kind: 'metal', name: 'Apple GPU' } : undefined
  return (await detectNvidia(view)) ?? (await detectVulkan(view)) ?? cardOnLinux(view)
}

async function detectNvidia(view: MachineView): Promise<Gpu | undefined> {
  const found = view.machine.platform === 'win32' ? nvidiaOnWindows(view) : nvidiaOnLinux(view)
  const { name = found?.name, driver = found?.driver, memoryBytes } = await askNvidiaSmi(view)
  if (found === undefined && name === undefined) return undefined
  return present({ kind: 'cuda' as const, name: name ?? 'NVIDIA GPU', driver, memoryBytes })
}

/** The driver's device files prove it; a card alone may run with another driver, which has no CUDA. */
function nvidiaOnLinux(view: MachineView): { name?: string; driver?: string } | undefined {
  const { root = '/' } = view
  const library = findLibrary('libcuda.so.1', libraryFolders('linux', view.environment, root))
  const hasDriver = NVIDIA_FILES.some((path) => existsSync(join(root, path)))
  if (!hasDriver && (library === undefined || !existsSync(join(root, WSL_FILE)))) return undefined
  const driver = kernelModuleVersion(root) ?? (library === undefined ? undefined : versionInName(library))
  return present({ name: nvidiaName(root), driver })
}

function nvidiaOnWindows({ environment }: MachineView): { name?: string; driver?: string } | undefined {
  return findLibrary('nvcuda.dll', libraryFolders('win32', environment)) === undefined ? undefined : {}
}

function nvidiaName(root: string): string | undefined {
  const folder = join(root, 'proc/driver/nvidia/gpus')
  for (const slot of listFolder(folder)) {
    const name = /^Model:\s*(.+)$/m.exec(readText(join(folder, slot, 'information')) ?? '')?.[1]?.trim()
    if (name !== undefined && name !== 'Unknown') return name
  }
  return undefined
}

/** "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  …" */
function kernelModuleVersion(root: string): string | undefined {
  return /^NVRM version:.*?\s(\d+\.\d+(?:\.\d+)?)\s/m.exec(
    readText(join(root, 'proc/driver/nvidia/version')) ?? '',
  )?.[1]
}

async function askNvidiaSmi({ run }: MachineView): Promise<Partial<Omit<Gpu, 'kind'>>> {
  const options = ['--query-gpu=name,driver_version,memory.total', '--format=csv,noheader,nounits']
  const { code, stdout } = await run('nvidia-smi', options, { timeoutMs: ASK_MS })
  const [name = '', driver = '', mebibytes = ''] = (stdout.split('\n')[0] ?? '').split(',').map((part) => part.trim())
  if (code !== 0 || name === '') return {}
  return {
    name,
    ...(driver !== '' && { driver }),
    ...(/^\d+$/.test(mebibytes) && { memoryBytes: Number(mebibytes) * 1024 ** 2 }),
  }
}

/** Skips software renderers: they are slower than the CPU itself. */
async function detectVulkan({ run }: MachineView): Promise<Gpu | undefined> {
  const { code, stdout } = await run('vulkaninfo', ['--summary'], { timeoutMs: ASK_MS })
  if (code !== 0) return undefined
  const blocks = stdout.split(/^GPU\d+:/m).slice(1)
  const real = blocks.find((block) => !/deviceType\s*=\s*PHYSICAL_DEVICE_TYPE_CPU/.test(block))
  const field = (name: string): string | undefined => new RegExp(`${name}\\s*=\\s*(.+)`).exec(real ?? '')?.[1]?.trim()
  const [name, driver] = [field('deviceName'), field('driverInfo')]
  return name === undefined ? undefined : present({ kind: 'vulkan' as const, name, driver })
}

/** Without a Vulkan loader, an integrated Intel GPU isn't worth telling the owner what to install. */
function cardOnLinux({ environment, root = '/' }: MachineView): Gpu | undefined {
  const folder = join(root, 'sys/class/drm')
  const hasLoader = findLibrary('libvulkan.so.1', libraryFolders('linux', environment, root)) !== undefined
  for (const card of listFolder(folder).filter((name) => /^card\d+$/.test(name))) {
    const vendor = VULKAN_VENDORS[(readText(join(folder, card, 'device/vendor')) ?? '').trim()]
    if (vendor !== undefined && (vendor !== 'Intel' || hasLoader)) return { kind: 'vulkan', name: `${vendor} GPU` }
  }
  return undefined
}

/** Undefined if the engine has no package of this kind for the machine. */
export function gpuPackage(kind: 'cuda' | 'cuda-ext' | 'vulkan', { platform, arch }: Machine): string | undefined {
  const system = platform === 'win32' ? 'win' : platform === 'linux' ? 'linux' : undefined
  return system === undefined || arch !== 'x64' ? undefined : `@node-llama-cpp/${system}-x64-${kind}`
}
