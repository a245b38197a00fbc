// Random numbers that depend only on a seed, so that a draw can be repeated.

/** Returns numbers from 0 up to, but not including, 1. */
export type Random = () => number

const STEP = 0x9e3779b9

/** The splitmix32 generator: each number joins two outputs, because a single one is too coarse for the rarest tokens. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + STEP) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  return () => (next() + (next() >>> 11) / 0x200000) / 0x100000000
}
