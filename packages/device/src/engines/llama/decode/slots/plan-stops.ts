// Where the evaluation of a prompt stops for a checkpoint. Each stop costs a decode of its own, and each checkpoint memory.

import type { Token } from '../../native/native.ts'

/** Templates begin each message with a control token. The header of a reply is shorter than this. */
const HEADER = 16
/** Fewer tokens aren't worth a checkpoint of their own. */
const LEAST = 256
/** Tokens between checkpoints in the middle of long texts. */
const INTERVAL = 2048

/** In ascending order; all of them after `reused` and before the last token. */
export function planStops(prompt: readonly Token[], reused: number, isBoundary: (token: Token) => boolean): number[] {
  const end = endOfTurn(prompt, isBoundary)
  const stops = [
    ...[endOfInstructions(prompt, isBoundary)].filter((stop) => stop < end),
    ...intervals(end).filter((stop) => end - stop >= LEAST),
  ]
  return [...new Set([...stops, end])].filter((stop) => stop > reused).toSorted((a, b) => a - b)
}

// The next turn repeats this prompt, but often not the header of the reply: templates leave out earlier thinking, for example.
function endOfTurn(prompt: readonly Token[], isBoundary: (token: Token) => boolean): number {
  const last = prompt.length - 1
  const from = Math.max(1, last - HEADER + 1)
  const found = prompt.slice(from, last).findIndex(isBoundary)
  return found < 0 ? last : from + found
}

/** Other conversations often begin with the same long instructions. */
function endOfInstructions(prompt: readonly Token[], isBoundary: (token: Token) => boolean): number {
  const found = prompt.findIndex((token, at) => at >= LEAST && isBoundary(token))
  return found < 0 ? prompt.length : found
}

function intervals(end: number): number[] {
  return Array.from({ length: Math.floor(end / INTERVAL) }, (_, index) => (index + 1) * INTERVAL)
}

/** The pending tokens up to the next stop, and one more: the last one is always left for another decode. */
export function untilStop(
  evaluated: number,
  { pending, stops: [next] }: { pending: readonly Token[]; stops: readonly number[] },
): number {
  return next === undefined ? pending.length : Math.min(pending.length, next - evaluated + 1)
}
