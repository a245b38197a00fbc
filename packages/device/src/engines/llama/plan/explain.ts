// Says in a sentence what a model gets, or why it can't be served.

import type { ModelShape } from '../../../models/gguf/model-shape.ts'
import { formatCount, formatMemory, plural } from '@hearth/command-line/format'
import type { MachineMemory } from './machine-memory.ts'
import { allLayers, type Arrangement } from './memory-need.ts'
import type { Plan, Rejection } from './plan-model.ts'
import { LONGEST_ON_CPU, type Wishes } from './sizes.ts'

/** 4 slots of 8,192 tokens (of 131,072), q8_0 cache, 33 of 33 layers on the GPU */
export function describePlan(shape: ModelShape, { arrangement }: Plan): string {
  const { slots, context, cache, keepsOnlyWindow, gpuLayers, batch } = arrangement
  const cut = context < shape.trainedLength ? ` of ${formatCount(shape.trainedLength)}` : ''
  const window = keepsOnlyWindow ? ' (window only)' : ''
  const layers = gpuLayers === 0 ? 'CPU' : `${gpuLayers} of ${allLayers(shape)} layers on the GPU`
  return `${slots} × ${formatCount(context)}${cut} tokens, ${cache} cache${window}, ${layers}, batches of ${formatCount(batch)}`
}

/** Why it is not more, for the owner and for people in the console. */
export function explainPlan(
  shape: ModelShape,
  machine: MachineMemory,
  arrangement: Arrangement,
  wishes: Wishes,
): string {
  return [explainContext(shape, machine, arrangement, wishes), explainLayers(shape, machine, arrangement)]
    .filter((part) => part !== '')
    .join('; ')
}

function explainContext(shape: ModelShape, machine: MachineMemory, { context }: Arrangement, wishes: Wishes): string {
  const full = shape.trainedLength
  if (context >= full) return "the model's full context"
  const cut = `${formatCount(context)} of the model's ${formatCount(full)} tokens`
  if (wishes.context !== undefined) return `${cut}, as set on the device`
  if (machine.gpu === undefined && context >= LONGEST_ON_CPU)
    return `${cut}, the most that a CPU can read in a few minutes`
  return `${cut}, which is what ${describeMemory(machine)} allows`
}

function describeMemory({ ram, gpu }: MachineMemory): string {
  if (gpu === undefined || gpu.isUnified) return `${formatMemory(ram.available)} of available memory`
  return `${formatMemory(gpu.free)} of free GPU memory`
}

function explainLayers(shape: ModelShape, { gpu }: MachineMemory, { gpuLayers }: Arrangement): string {
  const all = allLayers(shape)
  if (gpu === undefined || gpuLayers >= all) return ''
  if (gpuLayers === 0) return 'all layers on the CPU'
  return `${plural(all - gpuLayers, 'layer')} of ${all} on the CPU, because the GPU is too small for them`
}

/** The sum that didn't work out, and what helps. */
export function explainRejection(machine: MachineMemory, { arrangement, need }: Rejection, wishes: Wishes): string {
  const { slots, context } = arrangement
  const tokens = `${slots === 1 ? '' : `${slots} × `}${formatCount(context)} tokens`
  const sum = `needs ${formatMemory(need.weights)} for the weights and ${formatMemory(need.tokens)} for ${tokens}`
  return `${sum}; ${available(machine)} → ${remedy(wishes)}`
}

function available({ ram, gpu }: MachineMemory): string {
  const own = `${formatMemory(ram.available)} of memory available`
  return gpu === undefined || gpu.isUnified ? own : `${own}, and ${formatMemory(gpu.free)} on the GPU`
}

function remedy({ slots, context, gpuLayers }: Wishes): string {
  const set = [
    slots === undefined ? [] : ['slots'],
    context === undefined ? [] : ['context'],
    gpuLayers === undefined ? [] : ['gpu-layers'],
  ].flat()
  const other = 'close other programs, or choose a smaller model or quantization'
  return set.length === 0 ? other : `lower the setting ${set.join(' or ')}, ${other}`
}
