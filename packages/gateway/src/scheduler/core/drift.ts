// How much longer jobs of a lane wait than the line says. Others get ahead of them: those of keys that were served less, or that came back
// after a device was lost. How often that happens can't be derived, but it can be seen.

/** How much of its own error one job takes off. */
const STEP = 0.02
/** A single job that was far off says no more than others. */
const LARGEST_ERROR = Math.log(2)
const LEAST = Math.log(0.5)
const MOST = Math.log(3)

export class Drift {
  #log = 0

  get factor(): number {
    return Math.exp(this.#log)
  }

  add(expectedMs: number, actualMs: number): void {
    const error = Math.log(Math.max(1, actualMs) / Math.max(1, expectedMs))
    this.#log = clamp(this.#log + STEP * clamp(error, -LARGEST_ERROR, LARGEST_ERROR), LEAST, MOST)
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
