// The order in which people see the models: the first one is the one that examples use.

import { isTrialModel } from './trial-models.ts'

/** Only models that are enabled: first those of this machine, then those of others; trial models are the last of each. */
export function orderModels(own: readonly string[], enabled: readonly string[]): string[] {
  const rank = (name: string): number => (own.includes(name) ? 0 : 2) + (isTrialModel(name) ? 1 : 0)
  return enabled.toSorted((one, other) => rank(one) - rank(other))
}
