// How long it takes to decode so many tokens. Kernels for few tokens and for many differ, so the time jumps here and there, and each size is
// measured. Until then, its ratio to a size that was measured is expected to be what it often is.

export interface StepCost {
  /** In milliseconds, or, before the first step, in an arbitrary unit. */
  of(tokens: number): number
  learn(tokens: number, ms: number): void
}

/** The largest number of tokens in each class. */
const CLASSES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]
/** The time relative to that of one token. For a GPU, measured with a model of 8 billion parameters on an H200. */
const USUAL = {
  cpu: CLASSES.map((tokens) => (1 + 0.3 * tokens) / 1.3),
  gpu: [1, 1.15, 1.35, 1.55, 1.95, 2.3, 2.2, 2.2, 2.5, 2.7, 3.2, 3.6, 4.6, 5.6],
}
/** How far all other sizes follow when one changes: what makes steps longer or shorter, like other programs, mostly concerns all of them. */
const COMMON = 0.5
/** At most so far at once. */
const MOST_SHIFT = 0.03

export function createStepCost(gpu: string | false): StepCost {
  const usual = gpu === false ? USUAL.cpu : USUAL.gpu
  const measured: (number | undefined)[] = CLASSES.map(() => undefined)
  return {
    of(tokens) {
      const index = classOf(tokens)
      const known = nearest(measured, index)
      return known === undefined ? usual[index]! : (measured[known]! * usual[index]!) / usual[known]!
    },
    learn(tokens, ms) {
      const index = classOf(tokens)
      const before = measured[index]
      const average = averageTime(before, ms)
      measured[index] = average
      if (before !== undefined) shiftOthers(measured, index, (average / before - 1) * COMMON)
    },
  }
}

/** The measured class that is closest. */
function nearest(measured: readonly (number | undefined)[], index: number): number | undefined {
  for (let off = 0; off < measured.length; off++)
    for (const near of [index - off, index + off]) if (measured[near] !== undefined) return near
  return undefined
}

function shiftOthers(measured: (number | undefined)[], index: number, change: number): void {
  const factor = 1 + Math.min(Math.max(change, -MOST_SHIFT), MOST_SHIFT)
  for (const [other, ms] of measured.entries()) if (ms !== undefined && other !== index) measured[other] = ms * factor
}

function classOf(tokens: number): number {
  const found = CLASSES.findIndex((most) => tokens <= most)
  return found === -1 ? CLASSES.length - 1 : found
}

/** Weight of the newest time in an average. */
const NEWEST = 0.2
/** What took longer than this, relative to the average, was held up by something else. */
const MOST_OFF = 2

/** With one more time. `before` is undefined for the first one. */
function averageTime(before: number | undefined, ms: number): number {
  return before === undefined ? ms : before + (Math.min(ms, before * MOST_OFF) - before) * NEWEST
}
