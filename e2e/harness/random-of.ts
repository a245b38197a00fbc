import { Random } from '@hearth/gateway/testing'

/** For one of many runs with the same seed. Neighboring runs and neighboring seeds share nothing. */
export function randomOf(seed: number, run: number): Random {
  return new Random(Math.imul(seed, 0x9e3779b1) ^ run)
}
