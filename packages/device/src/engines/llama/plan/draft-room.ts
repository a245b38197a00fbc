// Whether a model has a draft beside it: a small model that guesses its next tokens. Pure.

import type { ModelShape } from '../../../models/gguf/model-shape.ts'
import type { Machine } from './machine.ts'
import { isLess } from './cramped.ts'
import { weightBytes } from './memory-need.ts'
import { planModel } from './plan-model.ts'
import { FEW_SLOTS, type Wishes } from './sizes.ts'

/** llama.cpp's limit as well: models of one family fill their vocabularies up to different sizes. */
export const MOST_TOKENS_APART = 128

/** Why this model can't be a draft for the other, and what to do; undefined if it can, as far as the files tell. */
export function explainUnfit(shape: ModelShape, draft: ModelShape): string | undefined {
  if (hasState(shape)) return "this kind of model can't use one → remove the setting"
  if (hasState(draft)) return "this kind of model can't be one → choose one without recurrent layers"
  if (weightBytes(draft) > weightBytes(shape)) return 'it is larger than the model → choose a smaller one'
  if (Math.abs(shape.vocabulary - draft.vocabulary) > MOST_TOKENS_APART)
    return 'it has another vocabulary → choose a small model of the same family'
  return undefined
}

/** False if the model would have to do without a context worth having, a few slots or layers on the GPU because of the draft. */
export function hasRoomForDraft(shape: ModelShape, draft: ModelShape, machine: Machine, wishes: Wishes): boolean {
  const alone = planModel(shape, machine, wishes)
  const beside = planModel(shape, machine, { ...wishes, draft })
  return alone.fits && beside.fits && !isLess(beside, alone) && beside.arrangement.slots >= fewSlots(alone.arrangement)
}

/** A layer with a running state can't forget guesses. */
function hasState({ layers }: ModelShape): boolean {
  return layers.some(({ stateBytes }) => stateBytes > 0)
}

function fewSlots({ slots }: { slots: number }): number {
  return Math.min(slots, FEW_SLOTS)
}
