// Decides what a model gets on a machine: slots, tokens per slot, the type of its cache, layers on the GPU and the size of a batch. Pure.

import type { ModelShape } from '../../../models/gguf/model-shape.ts'
import { gpuReserve, ramReserve, withoutGpu, type MachineMemory } from './machine-memory.ts'
import { allLayers, cacheNeed, memoryNeed, type Arrangement, type Need } from './memory-need.ts'
import { FEW_SLOTS, sizes, type Size, type Wishes } from './sizes.ts'

export type Plan = Fit | Rejection

export interface Fit {
  fits: true
  arrangement: Arrangement
  need: Need
  /** The place of this size among all sizes the model may get: the higher, the better. */
  rank: number
}

/** The least that was tried, and what it takes. */
export interface Rejection {
  fits: false
  arrangement: Arrangement
  need: Need
}

/** Larger batches read a prompt faster on a GPU; a CPU is busy with 512 tokens, and a larger batch would only delay cancellation. */
const GPU_BATCHES = [2048, 1024, 512] as const
const CPU_BATCH = 512
/** With a part of the model on the CPU, several slots may take this share of the GPU from the layers. */
const SHARE_FOR_SLOTS = 1 / 8

/** More slots than this make nothing faster. Slots of a GPU that is part of the computer take the owner's own memory. */
const SLOTS_BY_GPU = { cuda: 64, vulkan: 32, metal: 16 } as const

type Sum = Pick<Need, 'ram' | 'gpu' | 'weights' | 'tokens'>

function mostSlots({ gpu, cores }: MachineMemory): number {
  if (gpu !== undefined) return SLOTS_BY_GPU[gpu.kind]
  return cores >= 32 ? 16 : cores >= 8 ? 8 : FEW_SLOTS
}

export function planModel(shape: ModelShape, given: MachineMemory, asked: Wishes = {}): Plan {
  const wishes: Wishes = shape.allowsQuantizedCache ? asked : { ...asked, cache: 'f16' }
  const machine = asked.gpuLayers === 0 ? withoutGpu(given) : given
  const hasGpu = machine.gpu !== undefined
  const limits = { trained: shape.trainedLength, hasWindow: shape.window > 0, hasGpu, mostSlots: mostSlots(machine) }
  const all = sizes(limits, wishes)
  for (const [rank, size] of [...all.entries()].toReversed()) {
    const arrangement = arrange(shape, machine, size, wishes)
    if (arrangement !== undefined) return { fits: true, arrangement, need: memoryNeed(shape, arrangement), rank }
  }
  const least = all
    .slice(0, 1)
    .flatMap((size) => placements(shape, machine, size, wishes))
    .at(-1)
  if (least === undefined) throw new Error('The plan has no size to choose from')
  return { fits: false, arrangement: least, need: memoryNeed(shape, least) }
}

/** The best way to give the model this size; undefined if there is none. */
function arrange(shape: ModelShape, machine: MachineMemory, size: Size, wishes: Wishes): Arrangement | undefined {
  if (!isWorthItsSlots(shape, machine, size)) return undefined
  return arrangements(shape, machine, size, wishes).find((arrangement) => {
    return fits(memoryNeed(shape, arrangement), machine, size)
  })
}

/** From the fastest to the one with the least on the GPU. */
function arrangements(shape: ModelShape, machine: MachineMemory, size: Size, wishes: Wishes): Arrangement[] {
  const { loadedLayers } = wishes
  const all = placements(shape, machine, size, wishes)
  return loadedLayers === undefined ? all : all.filter(({ gpuLayers }) => gpuLayers === loadedLayers)
}

function placements(shape: ModelShape, { gpu }: MachineMemory, size: Size, wishes: Wishes): Arrangement[] {
  const { slots, context, cache, keepsOnlyWindow } = size
  const of = (gpuLayers: number, batch: number): Arrangement => {
    return { slots, context, cache, keepsOnlyWindow, gpuLayers, batch: Math.max(slots, Math.min(batch, context)) }
  }
  if (gpu === undefined) return [of(0, CPU_BATCH)]
  const all = allLayers(shape)
  const most = Math.min(all, wishes.gpuLayers ?? all)
  // Prompts are read fast before there is one more slot.
  const batches = size.isExtra && slots > (wishes.slots ?? 1) ? GPU_BATCHES.slice(0, 1) : GPU_BATCHES
  const whole = batches.map((batch) => of(most, batch))
  if (size.needsGpu || wishes.gpuLayers !== undefined) return whole
  return [...whole, ...Array.from({ length: most }, (_, index) => of(most - 1 - index, CPU_BATCH))]
}

function fits(need: Sum, machine: MachineMemory, size: Size): boolean {
  const { gpu, ram, keptForLater = 0 } = machine
  const later = size.isExtra ? keptForLater : 0
  const hasCard = gpu !== undefined && !gpu.isUnified
  const own = ram.available - ramReserve(machine) - (hasCard ? 0 : later)
  if (need.ram + (hasCard ? 0 : need.gpu) > own) return false
  // Others may have taken nearly all of the card; then the model runs beside it.
  if (gpu !== undefined && need.gpu > 0 && need.gpu > gpu.free - gpuReserve(gpu) - later) return false
  // A card of its own is all ours; of the machine's memory, the owner keeps half of what the weights leave.
  return !size.isExtra || hasCard || need.tokens <= (ram.available - later - need.weights) / 2
}

function isWorthItsSlots(shape: ModelShape, { gpu }: MachineMemory, size: Size): boolean {
  if (gpu === undefined || size.needsGpu || !size.isExtra) return true
  const arrangement = { ...size, gpuLayers: 0, batch: CPU_BATCH }
  return cacheNeed(shape, arrangement) <= (gpu.free - gpuReserve(gpu)) * SHARE_FOR_SLOTS
}
