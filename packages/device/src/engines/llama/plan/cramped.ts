// Whether a model should have others unloaded before it is loaded itself. Pure.

import type { ModelShape } from '../../../models/gguf/model-shape.ts'
import { withFreed, type MachineMemory } from './machine-memory.ts'
import { planModel, type Fit } from './plan-model.ts'
import { WORTH_HAVING, type Wishes } from './sizes.ts'

/**
 * True if the model fits only without the others, or would have to do without a context worth having or without layers on the GPU because
 * of them. More slots and longer contexts are no reason to unload anything: models that fit together stay together.
 */
export function isCramped(
  shape: ModelShape,
  machine: MachineMemory,
  evictable: { ram: number; gpu: number },
  wishes: Wishes,
): boolean {
  const alone = planModel(shape, withFreed(machine, evictable), wishes)
  if (!alone.fits) return false
  const beside = planModel(shape, machine, wishes)
  return !beside.fits || isLess(beside, alone)
}

/** Whether the model is worse off, not counting more slots and longer contexts. */
function isLess(one: Fit, other: Fit): boolean {
  return usefulContext(one) < usefulContext(other) || layersOf(one) < layersOf(other)
}

function usefulContext({ arrangement }: Fit): number {
  return Math.min(arrangement.context, WORTH_HAVING)
}

function layersOf({ arrangement }: Fit): number {
  return arrangement.gpuLayers
}
