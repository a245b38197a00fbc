// Detects this machine's GPU with the system's own tools, and picks the engine package for it.

import type { RunCommand } from '../system/run-command.ts'

export type Gpu =
  | { kind: 'cuda'; name: string }
  | { kind: 'vulkan'; name: string }
  /** Built into the default package. */
  | { kind: 'metal'; name: string }

export interface Machine {
  platform: NodeJS.Platform
  arch: string
}

const ASK_MS = 10_000

export async function detectGpu(machine: Machine, run: RunCommand): Promise<Gpu | undefined> {
  if (machine.platform === 'darwin') return machine.arch === 'arm64' ? { kind: 'metal', name: 'Apple GPU' } : undefined
  return (await detectNvidia(run)) ?? (await detectVulkan(run))
}

async function detectNvidia(run: RunCommand): Promise<Gpu | undefined> {
  const { code, stdout } = await run('nvidia-smi', ['--query-gpu=name', '--format=csv,noheader'], { timeoutMs: ASK_MS })
  const name = stdout.split('\n')[0]?.trim() ?? ''
  return code === 0 && name !== '' ? { kind: 'cuda', name } : undefined
}

/** Skips software renderers: they are slower than the CPU itself. */
async function detectVulkan(run: RunCommand): Promise<Gpu | undefined> {
  const { code, stdout } = await run('vulkaninfo', ['--summary'], { timeoutMs: ASK_MS })
  if (code !== 0) return undefined
  const blocks = stdout.split(/^GPU\d+:/m).slice(1)
  const real = blocks.find((block) => !/deviceType\s*=\s*PHYSICAL_DEVICE_TYPE_CPU/.test(block))
  const name = /deviceName\s*=\s*(.+)/.exec(real ?? '')?.[1]?.trim()
  return name === undefined ? undefined : { kind: 'vulkan', name }
}

/** Undefined if no package is needed, or none fits. */
export function gpuPackage(gpu: Gpu | undefined, { platform, arch }: Machine): string | undefined {
  if (gpu === undefined || gpu.kind === 'metal' || arch !== 'x64') return undefined
  const system = platform === 'win32' ? 'win' : platform === 'linux' ? 'linux' : undefined
  return system === undefined ? undefined : `@node-llama-cpp/${system}-x64-${gpu.kind}`
}
