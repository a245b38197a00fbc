// Weights for made-up models: the same seed gives the same weights.

/** Evenly spread numbers whose standard deviation is `scale`. */
export type RandomValues = (count: number, scale: number) => Float32Array

export function randomValues(seed: number): RandomValues {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return (count, scale) => Float32Array.from({ length: count }, () => (next() * 2 - 1) * Math.sqrt(3) * scale)
}
