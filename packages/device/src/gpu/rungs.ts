// Which rungs a machine may have, best first.

import type { Rung } from './backend.ts'
import { gpuPackage, type Gpu, type Machine } from './detect-gpu.ts'

export type GpuSetting = 'auto' | 'off' | 'cuda' | 'vulkan' | 'metal'

/** With a setting that names a kind, there is no CPU at the end: the owner wants to know that it doesn't work. */
export function rungsFor(
  setting: GpuSetting,
  gpu: Gpu | undefined,
  machine: Machine,
  hasBuilt = false,
): readonly Rung[] {
  switch (setting) {
    case 'off':
      return ['cpu']
    case 'cuda':
      return cudaRungs(hasBuilt)
    case 'vulkan':
    case 'metal':
      return [setting]
    case 'auto':
      return [...gpuRungs(gpu, machine, hasBuilt), 'cpu']
    default:
      return setting satisfies never
  }
}

function gpuRungs(gpu: Gpu | undefined, machine: Machine, hasBuilt: boolean): readonly Rung[] {
  if (gpu === undefined) return []
  if (gpu.kind === 'metal') return ['metal']
  if (gpuPackage(gpu.kind, machine) === undefined) return []
  return gpu.kind === 'cuda' ? [...cudaRungs(hasBuilt), 'vulkan'] : ['vulkan']
}

/** A back end that was built for another engine or card is a rung too, so that the owner learns that it isn't used. */
function cudaRungs(hasBuilt: boolean): readonly Rung[] {
  return hasBuilt ? ['cuda-built', 'cuda', 'cuda12'] : ['cuda', 'cuda12']
}
