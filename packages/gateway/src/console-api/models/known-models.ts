// Well-known open models, as the console offers them.

import { MODEL_LIST, type ListedModel } from '@hearth/model-list'

/** A short conversation: what a model needs to be of any use. */
const SHORT_CONTEXT = 4_096

export function showKnownModels() {
  return MODEL_LIST.map(showModel).toSorted((one, other) => one.bytes - other.bytes)
}

function showModel(model: ListedModel) {
  const { name, aliases, title, maker, goodAt, license, contextLength, contextBytesPerToken, parameters } = model
  const { activeParameters = parameters, isAllRounder = false } = model
  const bytes = Math.min(...model.quantizations.map((quantization) => quantization.bytes))
  const memoryBytes = bytes + SHORT_CONTEXT * contextBytesPerToken
  return {
    name,
    aliases: [...aliases],
    title,
    maker,
    goodAt,
    isAllRounder,
    license,
    contextLength,
    contextBytesPerToken,
    parameters,
    activeParameters,
    bytes,
    memoryBytes,
  }
}
