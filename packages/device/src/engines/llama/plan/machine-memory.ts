// The memory that a plan may use, as measured at one moment. All sizes in bytes.

export interface MachineMemory {
  ram: {
    total: number
    /** As much as programs can still take before the machine swaps or ends one of them. */
    available: number
  }
  /** Physical cores. */
  cores: number
  gpu?: GpuMemory
  /** For models that are loaded later: extra slots and longer contexts leave this much alone. */
  keptForLater?: number
}

export interface GpuMemory {
  kind: 'cuda' | 'vulkan' | 'metal'
  total: number
  free: number
  /** The GPU uses the machine's own memory, so everything counts against that as well. */
  isUnified: boolean
}

export const MIB = 2 ** 20
export const GIB = 2 ** 30

/** Room for other programs, and for the mistakes of an estimate. */
export function ramReserve({ ram }: MachineMemory): number {
  return clamp(ram.total * 0.05, 256 * MIB, 2 * GIB)
}

/** Room for the driver's own buffers and for the screen. */
export function gpuReserve({ free }: GpuMemory): number {
  return clamp(free * 0.05, 512 * MIB, 4 * GIB)
}

export function withoutGpu({ ram, cores, keptForLater = 0 }: MachineMemory): MachineMemory {
  return { ram, cores, keptForLater }
}

/** The memory that is left once a model has taken what it needs. */
export function afterPlan(machine: MachineMemory, need: { ram: number; gpu: number }): MachineMemory {
  const { ram, gpu } = machine
  const shared = gpu?.isUnified === true ? need.gpu : 0
  const left = { ...machine, ram: { ...ram, available: Math.max(0, ram.available - need.ram - shared) } }
  return gpu === undefined ? left : { ...left, gpu: { ...gpu, free: Math.max(0, gpu.free - need.gpu) } }
}

/** The memory once models that take this much are gone. */
export function withFreed(machine: MachineMemory, freed: { ram: number; gpu: number }): MachineMemory {
  const { ram, gpu } = machine
  const shared = gpu?.isUnified === true ? freed.gpu : 0
  const available = Math.min(ram.total, ram.available + freed.ram + shared)
  const without = { ...machine, ram: { ...ram, available } }
  return gpu === undefined ? without : { ...without, gpu: { ...gpu, free: Math.min(gpu.total, gpu.free + freed.gpu) } }
}

/** The same machine if it had only this much memory, and a GPU no larger than that, of which models already hold a part. */
export function withLimit(machine: MachineMemory, limit: number, held: { ram: number; gpu: number }): MachineMemory {
  const { ram, gpu } = machine
  const taken = held.ram + (gpu?.isUnified === true ? held.gpu : 0)
  const total = Math.min(ram.total, limit)
  const limited = { ...machine, ram: { total, available: Math.max(0, Math.min(ram.available, limit - taken)) } }
  if (gpu === undefined) return limited
  const free = Math.max(0, Math.min(gpu.free, limit - held.gpu))
  return { ...limited, gpu: { ...gpu, total: Math.min(gpu.total, limit), free } }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
