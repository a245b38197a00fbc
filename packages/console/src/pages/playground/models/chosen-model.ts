// Finds the model of a column. A model that is gone is never replaced without a word: the page names it and offers a choice.

import type { Schemas } from '../../../api/client.ts'
import { bestFirst } from '../../../lib/best-first.ts'

export type Model = Schemas['Model']

export type ChosenModel =
  | { kind: 'ready'; name: string; model: Model }
  /** offered: devices serve it, but nobody enabled it. adding: a device is downloading it. */
  | { kind: 'missing'; name: string; state: Exclude<Model['state'], 'enabled'> | 'unknown' }

export function isServed({ devices }: Model): boolean {
  return devices.some(({ isPaused }) => !isPaused)
}

export function isEnabled({ state }: Model): boolean {
  return state === 'enabled'
}

/** The model that was chosen, or one that a device serves. At least one of `models` has to be enabled. */
export function findChosenModel(chosen: string | undefined, models: readonly Model[]): ChosenModel {
  const name = chosen ?? suggestModel(models).name
  const model = models.find((one) => one.name === name)
  if (model?.state === 'enabled') return { kind: 'ready', name, model }
  return { kind: 'missing', name, state: model?.state ?? 'unknown' }
}

/**
 * A model that can be asked now, if there is one; not the one to compare it with, if there is another. At least one of `models` has to be
 * enabled.
 */
export function suggestModel(models: readonly Model[], other?: string): Model {
  const enabled = bestFirst(models.filter(isEnabled))
  const rest = enabled.filter(({ name }) => name !== other)
  const model = rest.find(isServed) ?? enabled.find(isServed) ?? rest[0] ?? enabled[0]
  if (model) return model
  throw new Error('No model is enabled. Show the playground only if one is.')
}
