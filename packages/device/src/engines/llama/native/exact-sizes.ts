// On a CPU, the numbers of a token depend on how many tokens share its decode: kernels for few tokens and for many add up in another order.
// How many tokens may share one so that each gets the numbers it gets alone depends on the weights, the processor and the threads, so it is
// measured (`sizes/measure-sizes`).

/** The most tokens of a decode that have the numbers they would have one by one. */
export interface ExactSizes {
  /** While the slot has up to `SHORT` tokens. */
  short: number
  /** With more, llama.cpp splits the attention of a lone token among threads. */
  long: number
}

export const ONE_BY_ONE: ExactSizes = { short: 1, long: 1 }
export const SHORT = 256
/** From the next size on, attention has another kernel on every processor. */
export const MOST_EXACT = 63

/** For the next decode of a slot that has `length` tokens. */
export function exactSize({ short, long }: ExactSizes, length: number): number {
  return Math.max(long, Math.min(short, SHORT - length))
}
