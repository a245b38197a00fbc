// Well-known open models, as the console offers them.

import { MODEL_LIST, type ListedModel } from '@hearth/model-list'
import { factsOf } from '@hearth/model-list/estimate'

export function showKnownModels() {
  return MODEL_LIST.map(showModel).toSorted((one, other) => one.bytes - other.bytes)
}

function showModel(model: ListedModel) {
  const { aliases, title, maker, goodAt, license, contextLength, isAllRounder = false } = model
  return { ...factsOf(model), aliases: [...aliases], title, maker, goodAt, isAllRounder, license, contextLength }
}
