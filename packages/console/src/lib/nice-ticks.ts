// Ticks that people can count with: steps of 1, 2 or 5 times a power of ten.

const STEPS = [1, 2, 5]

/** Ticks from zero up to the first one that is not below `most`. Whole numbers only, unless `isWhole` is false. */
export function niceTicks(most: number, { about = 4, isWhole = true } = {}): number[] {
  if (!(most > 0)) return [0, 1]
  const rough = most / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (STEPS.find((one) => one * power >= rough * (1 - 1e-9)) ?? 10)
  const size = isWhole ? Math.max(1, step) : step
  const count = Math.ceil(most / size - 1e-9)
  return Array.from({ length: count + 1 }, (_, index) => Number((index * size).toPrecision(12)))
}
