// Whether a model gets the draft that was chosen for it.

import { describeError } from '@hearth/command-line/errors'
import { readModelShape, type ModelShape } from '../../../models/gguf/model-shape.ts'
import type { DraftOption } from '../llama-options.ts'
import { explainUnfit, hasRoomForDraft } from './draft-room.ts'
import type { Machine } from './machine.ts'
import type { Wishes } from './sizes.ts'

export type DraftPlan = { kind: 'none' } | { kind: 'left-out'; name: string; why: string } | PlannedDraft

export interface PlannedDraft extends DraftOption {
  kind: 'planned'
  shape: ModelShape
}

const NO_ROOM = 'there is not enough memory for both → close other programs, or choose a smaller model'

export function planDraft(
  option: DraftOption | undefined,
  model: ModelShape,
  machine: Machine,
  wishes: Wishes,
): DraftPlan {
  if (option === undefined) return { kind: 'none' }
  const { name } = option
  try {
    const shape = readModelShape(option.path)
    const why = explainUnfit(model, shape)
    if (why !== undefined) return { kind: 'left-out', name, why }
    if (!hasRoomForDraft(model, shape, machine, wishes)) return { kind: 'left-out', name, why: NO_ROOM }
    return { kind: 'planned', ...option, shape }
  } catch (error) {
    return { kind: 'left-out', name, why: describeError(error) }
  }
}
