// A rung's requirements: the driver's library, its lowest version, and the libraries of CUDA's run time.

import type { Machine } from './detect-gpu.ts'

export interface Requirements {
  /** Comes with the graphics driver. */
  driverLibrary?: string
  leastDriver?: number
  /** Comes with CUDA, which a machine with only a driver doesn't have. */
  cudaLibraries: readonly string[]
}

/** With the first driver of each version of CUDA; older ones refuse programs built with it. */
export const CUDA = { cuda: { major: 13, leastDriver: 580 }, cuda12: { major: 12, leastDriver: 525 } } as const

export function requirementsOf(rung: 'cuda' | 'cuda12' | 'vulkan', { platform }: Machine): Requirements {
  const isWindows = platform === 'win32'
  if (rung === 'vulkan') return { driverLibrary: isWindows ? 'vulkan-1.dll' : 'libvulkan.so.1', cudaLibraries: [] }
  const { major, leastDriver } = CUDA[rung]
  const names = ['cudart', 'cublas', 'cublasLt']
  return {
    driverLibrary: isWindows ? 'nvcuda.dll' : 'libcuda.so.1',
    leastDriver,
    cudaLibraries: names.map((name) => (isWindows ? `${name}64_${major}.dll` : `lib${name}.so.${major}`)),
  }
}
