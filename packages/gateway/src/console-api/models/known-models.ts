// Well-known open models, as the console offers them.

import { MODEL_LIST, type ListedModel } from '@hearth/model-list'
import { factsOf } from '@hearth/model-list/estimate'

/** A short conversation: what a model needs to be of any use. */
const SHORT_CONTEXT = 4_096

export function showKnownModels() {
  return MODEL_LIST.map(showModel).toSorted((one, other) => one.bytes - other.bytes)
}

function showModel(model: ListedModel) {
  const { aliases, title, maker, goodAt, license, contextLength, isAllRounder = false } = model
  const facts = factsOf(model)
  return {
    ...facts,
    aliases: [...aliases],
    title,
    maker,
    goodAt,
    isAllRounder,
    license,
    contextLength,
    memoryBytes: facts.bytes + SHORT_CONTEXT * facts.contextBytesPerToken,
  }
}
