// Sets of features as bits of a number: "has all of these" is a single operation, which counts when there are many devices.

import { FEATURES, type Feature } from '@hearth/protocol'

export type FeatureMask = number

export const NO_FEATURES: FeatureMask = 0
export const ALL_FEATURES: FeatureMask = toMask(FEATURES)

export function toMask(features: readonly Feature[]): FeatureMask {
  return features.reduce((mask, feature) => mask | (1 << FEATURES.indexOf(feature)), 0)
}

export function fromMask(mask: FeatureMask): Feature[] {
  return FEATURES.filter((_, bit) => (mask & (1 << bit)) !== 0)
}

export function lacking(wanted: FeatureMask, present: FeatureMask): FeatureMask {
  return wanted & ~present
}

export function countFeatures(mask: FeatureMask): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1
  return count
}
