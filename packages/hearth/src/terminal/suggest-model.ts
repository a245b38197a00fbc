// A model from the list that this machine can serve well, in place of the starter.

import { MODEL_LIST, STARTER_MODEL, type ListedModel } from '@hearth/model-list'

/** A larger model may fit too, but a quarter of the memory leaves room for long conversations and for everything else on the machine. */
const SHARE = 1 / 4

/** Undefined if only the starter fits. */
export function suggestModel(memoryBytes: number): ListedModel | undefined {
  const fitting = MODEL_LIST.filter((model) => model !== STARTER_MODEL && bytesOf(model) <= memoryBytes * SHARE)
  return fitting.toSorted((one, other) => other.parameters - one.parameters)[0]
}

/** Of its download, in GB. */
export function sizeOf(model: ListedModel): string {
  return (bytesOf(model) / 1e9).toFixed(1)
}

function bytesOf({ quantizations: [smallest] }: ListedModel): number {
  return smallest?.bytes ?? Number.POSITIVE_INFINITY
}
