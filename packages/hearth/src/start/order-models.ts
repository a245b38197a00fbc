// The order in which people see the models: the first one is the one that examples use.

import { findListed, STARTER_MODEL } from '@hearth/model-list'

/** Only models that are enabled: first those of this machine, then those of others; the starter model is the last of each. */
export function orderModels(own: readonly string[], enabled: readonly string[]): string[] {
  const rank = (name: string): number => (own.includes(name) ? 0 : 2) + (findListed(name) === STARTER_MODEL ? 1 : 0)
  return enabled.toSorted((one, other) => rank(one) - rank(other))
}
