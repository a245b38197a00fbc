// A straight line through measured points, where old points count less and less. It says what reading any prompt costs and what each of
// its characters adds.

const KEPT = 0.9
/** If points differ by less than this, their positions explain nothing, and the time is assumed to grow in proportion. */
const SPREAD = 200 ** 2
/** There is always a part that doesn't grow. Until more is known, it is as large as this would be. */
const FIXED = 256
/** One point that is far off, such as a device that stood still, must not spoil the next ones. Several in a row are believed. */
const LARGEST_JUMP = 1.5
const TRUSTED_WEIGHT = 2

export class LineFit {
  #weight = 0
  #x = 0
  #y = 0
  #xx = 0
  #xy = 0
  #largestJump = LARGEST_JUMP
  /** At 0. */
  start: number
  slope: number

  /** The slope before the first point. */
  constructor(firstGuess: number) {
    this.slope = firstGuess
    this.start = FIXED * firstGuess
  }

  get isEmpty(): boolean {
    return this.#weight === 0
  }

  at(x: number): number {
    return this.start + this.slope * x
  }

  add(x: number, y: number): void {
    const believed = this.#believed(x, y)
    this.#weight = this.#weight * KEPT + 1
    this.#x = this.#x * KEPT + x
    this.#y = this.#y * KEPT + believed
    this.#xx = this.#xx * KEPT + x * x
    this.#xy = this.#xy * KEPT + x * believed
    const meanX = this.#x / this.#weight
    const meanY = this.#y / this.#weight
    this.slope = this.#slope(meanX, meanY)
    this.start = meanY - this.slope * meanX
  }

  #believed(x: number, y: number): number {
    if (this.#weight < TRUSTED_WEIGHT) return y
    const most = this.#largestJump * this.at(x)
    this.#largestJump = y > most ? this.#largestJump * LARGEST_JUMP : LARGEST_JUMP
    return Math.min(y, most)
  }

  #slope(meanX: number, meanY: number): number {
    const variance = this.#xx / this.#weight - meanX * meanX
    const covariance = this.#xy / this.#weight - meanX * meanY
    const usual = meanY / (meanX + FIXED)
    const slope = (covariance + usual * SPREAD) / (variance + SPREAD)
    // Neither the characters nor the rest ever save time.
    return Math.min(Math.max(0, slope), meanX > 0 ? meanY / meanX : 0)
  }
}
