// What a machine can do: how fast its GPU and its processor read weights and prompts, and how large a model may be on each.

import { findGpu, type GpuRow } from './gpu-table.ts'
import type { MachineFacts } from './machine-facts.ts'
import { findProcessor } from './processor-table.ts'

export interface Processor {
  /** Bytes per second that models really get. */
  bandwidth: number
  /** Floating-point operations per second that prompts really get. */
  flops: number
  /** For each token besides reading weights: starting kernels or threads, and drawing the token. */
  stepMs: number
  /** Bytes of weights and context. */
  room: number
}

export interface MachineSpeed {
  cpu: Processor
  gpu?: Processor
  /** Bytes of weights and context on both together. */
  room: number
}

/** The part of the stated bandwidth that is left in practice. */
const EFFICIENCY = 0.65
const GPU_STEP_MS = 2
const CPU_STEP_MS = 2
const GB = 1e9
const GIB = 2 ** 30
/** For a machine that doesn't say. */
const UNKNOWN_MEMORY = 8 * GIB
const UNKNOWN_CORES = 4
/** Models in memory make room for others, so only the machine's totals count, less what the system and its owner keep. */
export const RAM_SHARE = 0.8
export const CARD_SHARE = 0.95

export function speedOf(machine: MachineFacts): MachineSpeed {
  const cpu = processorOf(machine)
  const row = rowOf(machine)
  if (row === undefined) return { cpu, room: machine.roomBytes ?? cpu.room }
  const room = row.memory === 'shared' ? sharedRoom(machine, cpu.room) : cardRoom(machine, row.memory * GB)
  const total = row.memory === 'shared' ? cpu.room : cpu.room + room
  const most = machine.roomBytes ?? total
  const gpu = {
    bandwidth: row.bandwidth * GB * EFFICIENCY,
    flops: row.promptTeraflops * 1e12,
    stepMs: GPU_STEP_MS,
    room: Math.min(room, most),
  }
  return { cpu, gpu, room: most }
}

/** For comparing machines: bytes per second that models really get on the faster part. */
export function powerOf(machine: MachineFacts): number {
  const { cpu, gpu = cpu } = speedOf(machine)
  return gpu.bandwidth
}

/** The GPU's, if models compute on one. */
function rowOf({ gpu, processor = '' }: MachineFacts): GpuRow | undefined {
  return gpu === undefined ? undefined : (findApple(processor) ?? findGpu(gpu))
}

function processorOf(machine: MachineFacts): Processor {
  const { processor = '', cores = UNKNOWN_CORES } = machine
  const row = findProcessor(processor)
  const all = findApple(processor)?.bandwidth ?? row.bandwidth
  return {
    bandwidth: Math.min(all * EFFICIENCY, cores * row.perCore) * GB,
    flops: cores * row.promptGigaflops * 1e9,
    stepMs: CPU_STEP_MS,
    room: ramRoom(machine),
  }
}

function ramRoom({ memoryBytes = UNKNOWN_MEMORY }: MachineFacts): number {
  return memoryBytes * RAM_SHARE - clamp(memoryBytes * 0.05, GIB / 4, 2 * GIB)
}

function cardRoom({ gpuMemoryBytes }: MachineFacts, byName: number): number {
  const usable = (gpuMemoryBytes ?? byName) * CARD_SHARE
  return usable - clamp(usable * 0.05, GIB / 2, 4 * GIB)
}

/** macOS lets the GPU use two thirds of a small machine's memory, and three quarters of a large one's. Others leave the GPU half. */
function sharedRoom({ processor = '', memoryBytes = UNKNOWN_MEMORY }: MachineFacts, ram: number): number {
  const share = !/Apple/.test(processor) ? 1 / 2 : memoryBytes > 36 * GIB ? 3 / 4 : 2 / 3
  return Math.min(ram, memoryBytes * share - GIB / 2)
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/**
 * Apple's processors, whose GPU is a part of them and uses the same memory: GB/s as Apple states them
 * for the smaller variant, and teraflops that llama.cpp reaches with prompts.
 */
const ROWS: readonly (readonly [pattern: RegExp, bandwidth: number, promptTeraflops: number])[] = [
  [/\bM\d Ultra/, 800, 14],
  [/\bM5 Max/, 460, 25],
  [/\bM4 Max/, 410, 10],
  [/\bM3 Max/, 300, 8.5],
  [/\bM\d Max/, 400, 7],
  [/\bM5 Pro/, 300, 14],
  [/\bM4 Pro/, 273, 6],
  [/\bM3 Pro/, 150, 4.6],
  [/\bM\d Pro/, 200, 3.8],
  [/\bM5/, 153, 8],
  [/\bM4/, 120, 3],
  [/\bM[23]/, 100, 2.4],
  [/\bM1/, 68, 1.6],
]

/** Undefined for processors of other makers, and for an Apple processor that came later. */
function findApple(processor: string): GpuRow | undefined {
  const row = /Apple/.test(processor) ? ROWS.find(([pattern]) => pattern.test(processor)) : undefined
  return row && { bandwidth: row[1], promptTeraflops: row[2], memory: 'shared' }
}
