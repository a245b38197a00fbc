export type { HubRepository, License, ListedModel, ListedQuantization, SamplingDefaults } from './listed-model.ts'
export { findListed, findListedQuant } from './find-listed.ts'
export { MODEL_LIST } from './model-list.ts'
export { STARTER_MODEL } from './list/smollm.ts'
