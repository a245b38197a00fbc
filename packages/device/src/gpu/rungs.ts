// Which rungs a machine may have, best first.

import type { Rung } from './backend.ts'
import { gpuPackage, type Gpu, type Machine } from './detect-gpu.ts'

export type GpuSetting = 'auto' | 'off' | 'cuda' | 'vulkan' | 'metal'

/** With a setting that names a kind, there is no CPU at the end: the owner wants to know that it doesn't work. */
export function rungsFor(setting: GpuSetting, gpu: Gpu | undefined, machine: Machine): readonly Rung[] {
  switch (setting) {
    case 'off':
      return ['cpu']
    case 'cuda':
      return ['cuda', 'cuda12']
    case 'vulkan':
    case 'metal':
      return [setting]
    case 'auto':
      return [...gpuRungs(gpu, machine), 'cpu']
    default:
      return setting satisfies never
  }
}

function gpuRungs(gpu: Gpu | undefined, machine: Machine): readonly Rung[] {
  if (gpu === undefined) return []
  if (gpu.kind === 'metal') return ['metal']
  if (gpuPackage(gpu.kind, machine) === undefined) return []
  return gpu.kind === 'cuda' ? ['cuda', 'cuda12', 'vulkan'] : ['vulkan']
}
