// Machines of every size, for the table of plans. The memory is what such a machine usually has left while its owner works on it.

import { GIB, type GpuMemory, type MachineMemory } from './machine-memory.ts'

export interface ReferenceMachine {
  name: string
  machine: MachineMemory
}

type Memory = readonly [total: number, available: number]

function cpu(name: string, cores: number, [total, available]: Memory): ReferenceMachine {
  return { name, machine: { ram: { total: total * GIB, available: available * GIB }, cores } }
}

function card(name: string, kind: GpuMemory['kind'], memory: Memory, [total, free]: Memory): ReferenceMachine {
  const { machine } = cpu(name, 8, memory)
  return { name, machine: { ...machine, gpu: { kind, total: total * GIB, free: free * GIB, isUnified: false } } }
}

/** macOS lets the GPU use two thirds of a small machine's memory and three quarters of a large one's. */
function apple(name: string, memory: Memory, gpu: number): ReferenceMachine {
  const { machine } = cpu(name, 8, memory)
  return { name, machine: { ...machine, gpu: { kind: 'metal', total: gpu * GIB, free: gpu * GIB, isUnified: true } } }
}

export const REFERENCE_MACHINES: readonly ReferenceMachine[] = [
  cpu('4 GB laptop', 2, [3.7, 2.4]),
  cpu('8 GB laptop', 4, [7.6, 5.9]),
  cpu('8 GB laptop with a full browser', 4, [7.6, 4.2]),
  cpu('16 GB laptop', 8, [15.4, 11]),
  cpu('24 GB machine, page cache warm', 2, [23.5, 21.7]),
  cpu('32 GB desktop', 12, [31, 26]),
  cpu('64 GB workstation', 16, [62.6, 56]),
  cpu('256 GB server', 64, [251, 240]),
  cpu('container with 4 GiB', 16, [4, 3.8]),
  cpu('container with 16 GiB', 16, [16, 15.5]),
  apple('Apple, 16 GB', [16, 10], 10.7),
  apple('Apple, 64 GB', [64, 50], 48),
  apple('Apple, 192 GB', [192, 170], 144),
  card('4 GiB card, 8 GB of RAM', 'vulkan', [7.6, 5], [4, 3.6]),
  card('8 GiB card, 16 GB of RAM', 'cuda', [15.4, 11], [8, 7.2]),
  card('12 GiB card, 32 GB of RAM', 'cuda', [31, 26], [12, 11.1]),
  card('16 GiB card, 32 GB of RAM', 'vulkan', [31, 26], [16, 15.2]),
  card('24 GiB card, 16 GB of RAM', 'cuda', [15.4, 11], [24, 23.2]),
  card('24 GiB card, 128 GB of RAM', 'cuda', [125, 115], [24, 23.2]),
  card('48 GiB card, 128 GB of RAM', 'cuda', [125, 115], [48, 47.2]),
  card('80 GiB card, 256 GB of RAM', 'cuda', [251, 235], [80, 78.7]),
  card('139 GiB card, 128 GB of RAM', 'cuda', [126, 120], [139.8, 139]),
]
