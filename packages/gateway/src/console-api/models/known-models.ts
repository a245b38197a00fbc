// Well-known open models, as the console offers them.

import { factsOf, MODEL_LIST, type ListedModel } from '@hearth/model-list'

export function showKnownModels() {
  return MODEL_LIST.map(showModel).toSorted((one, other) => one.bytes - other.bytes)
}

function showModel(model: ListedModel) {
  const { aliases, title, maker, goodAt, license, contextLength, isAllRounder = false } = model
  return { ...factsOf(model), aliases: [...aliases], title, maker, goodAt, isAllRounder, license, contextLength }
}
