// The values for fields that a request leaves out: the organization's own settings first, then what the model's authors recommend.
// Fields that are in neither are left to the engine.

import { findListedQuant } from '@hearth/model-list'
import type { ModelDefaults, SentDefaults } from '@hearth/protocol'

/** Undefined if there are none. */
export function effectiveDefaults(model: string, own: ModelDefaults | undefined): SentDefaults | undefined {
  const all = { ...listedDefaults(model), ...own }
  if (Object.keys(all).length === 0) return undefined
  const recommended = Object.keys(findListedQuant(model)?.model.sampling ?? {}).filter((name) => !(name in (own ?? {})))
  return recommended.length === 0 ? all : { ...all, recommended }
}

/** From the list of well-known models, by any name that it knows. */
export function listedDefaults(name: string): ModelDefaults {
  const listed = findListedQuant(name)?.model
  if (listed === undefined) return {}
  const { sampling, systemMessage, maxTokens } = listed
  return {
    ...sampling,
    ...(systemMessage !== undefined && { systemMessage }),
    ...(maxTokens !== undefined && { maxTokens }),
  }
}
