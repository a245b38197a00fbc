// How long it takes to decode so many tokens. Kernels for few tokens and for many differ, so the
// time jumps here and there, and each size is measured. Sizes that were not measured are expected to cost a little more than the next
// smaller one, so that they are tried.

export interface StepCost {
  /** In milliseconds, or, before the first step, in an arbitrary unit. */
  of(tokens: number): number
  learn(tokens: number, ms: number): void
}

/** The largest number of tokens in each class. */
const CLASSES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 63, 96, 128]
/** The time per token, relative to that of a step with one token, until it was measured. */
const FIRST_SHARE = { cpu: 0.3, gpu: 0.03 }
/** Weight of the newest step in an average. */
const NEWEST = 0.2
/** A step that took longer than this, relative to the average, was held up by something else. */
const MOST_OFF = 2
/** How far all other sizes follow when one changes: what makes steps longer or shorter, like other programs, mostly concerns all of them. */
const COMMON = 0.5
/** At most so far at once. */
const MOST_SHIFT = 0.03
/** After so many steps, a size that was not measured again is unknown: contexts grow, and other programs come and go. */
const FORGOTTEN_AFTER = 400

interface Measured {
  ms: number
  step: number
}

export function createStepCost(gpu: string | false): StepCost {
  const share = gpu === false ? FIRST_SHARE.cpu : FIRST_SHARE.gpu
  const measured: (Measured | undefined)[] = CLASSES.map(() => undefined)
  let step = 0
  const known = (index: number) => {
    const found = measured[index]
    return found !== undefined && step - found.step <= FORGOTTEN_AFTER ? found : undefined
  }
  return {
    of(tokens) {
      let index = classOf(tokens)
      while (index > 0 && known(index) === undefined) index--
      const { ms } = measured[index] ?? { ms: 1 + share }
      const more = tokens - CLASSES[index]!
      return more <= 0 ? ms : (ms * (1 + share * tokens)) / (1 + share * CLASSES[index]!)
    },
    learn(tokens, ms) {
      step++
      const index = classOf(tokens)
      const before = known(index)
      const average = before === undefined ? ms : before.ms + (Math.min(ms, before.ms * MOST_OFF) - before.ms) * NEWEST
      measured[index] = { ms: average, step }
      if (before !== undefined) shiftOthers(measured, index, (average / before.ms - 1) * COMMON)
    },
  }
}

function shiftOthers(measured: readonly (Measured | undefined)[], index: number, change: number): void {
  const factor = 1 + Math.min(Math.max(change, -MOST_SHIFT), MOST_SHIFT)
  for (const [other, found] of measured.entries()) if (found !== undefined && other !== index) found.ms *= factor
}

function classOf(tokens: number): number {
  const found = CLASSES.findIndex((most) => tokens <= most)
  return found === -1 ? CLASSES.length - 1 : found
}
