// A straight line through measured points, where old points count less and less. It says what reading any prompt costs and what each of
// its characters adds, or how much each job beside it slows an answer down.

const KEPT = 0.9
export interface LineFitOptions {
  /** If points differ by less than this, their positions explain nothing, and the time is assumed to grow in proportion. */
  spread: number
  /** There is always a part that doesn't grow. Until more is known, it is as large as this would be. */
  fixed: number
}

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
  readonly #spread: number
  readonly #fixed: number

  constructor({ spread, fixed }: LineFitOptions) {
    this.#spread = spread * spread
    this.#fixed = fixed
  }

  get isEmpty(): boolean {
    return this.#weight === 0
  }

  add(x: number, y: number, weight = 1): void {
    const believed = this.#believed(x, y)
    this.#weight = this.#weight * KEPT + weight
    this.#x = this.#x * KEPT + weight * x
    this.#y = this.#y * KEPT + weight * believed
    this.#xx = this.#xx * KEPT + weight * x * x
    this.#xy = this.#xy * KEPT + weight * x * believed
  }

  #believed(x: number, y: number): number {
    if (this.#weight < TRUSTED_WEIGHT) return y
    const most = this.#largestJump * this.at(x)
    this.#largestJump = y > most ? this.#largestJump * LARGEST_JUMP : LARGEST_JUMP
    return Math.min(y, most)
  }

  /** 0 without any point. */
  at(x: number): number {
    if (this.#weight === 0) return 0
    const meanX = this.#x / this.#weight
    const meanY = this.#y / this.#weight
    return Math.max(0, meanY + this.#slope(meanX, meanY) * (x - meanX))
  }

  #slope(meanX: number, meanY: number): number {
    const variance = this.#xx / this.#weight - meanX * meanX
    const covariance = this.#xy / this.#weight - meanX * meanY
    const usual = meanY / (meanX + this.#fixed)
    const slope = (covariance + usual * this.#spread) / (variance + this.#spread)
    // Neither the characters nor the rest ever save time.
    return Math.min(Math.max(0, slope), meanX > 0 ? meanY / meanX : 0)
  }
}
