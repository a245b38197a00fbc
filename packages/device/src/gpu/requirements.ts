// A rung's requirements: the driver's library, its lowest version, and the libraries of CUDA's run time.

import type { Machine } from './detect-gpu.ts'

export interface Requirements {
  /** Comes with the graphics driver. */
  driverLibrary?: string
  leastDriver?: number
  /** Comes with CUDA, which a machine with only a driver doesn't have. */
  cudaLibraries: readonly string[]
}

/** The first driver of each CUDA version; older ones refuse programs built with it. */
const LEAST_DRIVER = { '13': 580, '12': 525 } as const

export function requirementsOf(rung: 'cuda' | 'cuda12' | 'vulkan', { platform }: Machine): Requirements {
  const isWindows = platform === 'win32'
  switch (rung) {
    case 'cuda':
      return cudaRequirements('13', isWindows)
    case 'cuda12':
      return cudaRequirements('12', isWindows)
    case 'vulkan':
      return { driverLibrary: isWindows ? 'vulkan-1.dll' : 'libvulkan.so.1', cudaLibraries: [] }
    default:
      return rung satisfies never
  }
}

function cudaRequirements(major: '12' | '13', isWindows: boolean): Requirements {
  const names = ['cudart', 'cublas', 'cublasLt']
  return {
    driverLibrary: isWindows ? 'nvcuda.dll' : 'libcuda.so.1',
    leastDriver: LEAST_DRIVER[major],
    cudaLibraries: names.map((name) => (isWindows ? `${name}64_${major}.dll` : `lib${name}.so.${major}`)),
  }
}
