// The library returns tokens and their logits as one flat list of numbers.

import type { Token } from './native.ts'

/** `flat` has a logit after each token. */
export function tokenPairs(flat: readonly number[]): [token: Token, logit: number][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [flat[index * 2]!, flat[index * 2 + 1]!])
}
