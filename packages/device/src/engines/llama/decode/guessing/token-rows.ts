// Where a row of tokens is in a hash table. Different rows may share an entry.

import type { Token } from '../../native/native.ts'

export const SMALLEST_TABLE = 1024

/** For a table that has to hold the rows of so many tokens. */
export function tableSize(tokens: number): number {
  return 2 ** Math.ceil(Math.log2(tokens * 4))
}

/** Of `length` tokens from `from` on, of which `last` is the final one. */
export function entryOf(size: number, tokens: readonly Token[], from: number, length: number, last: Token): number {
  let hash = last
  for (let at = from; at < from + length - 1; at++) hash = Math.imul(hash ^ (tokens[at] ?? 0), 0x9e3779b1)
  return (hash ^ (hash >>> 15)) & (size - 1)
}
