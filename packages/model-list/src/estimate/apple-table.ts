// Apple's processors, whose GPU is a part of them and uses the same memory.

import type { GpuRow } from './gpu-table.ts'

/** GB/s as Apple states them for the smaller variant, and teraflops that llama.cpp reaches with prompts. */
const ROWS: readonly (readonly [pattern: RegExp, bandwidth: number, promptTeraflops: number])[] = [
  [/\bM\d Ultra/, 800, 14],
  [/\bM5 Max/, 460, 25],
  [/\bM4 Max/, 410, 10],
  [/\bM3 Max/, 300, 8.5],
  [/\bM\d Max/, 400, 7],
  [/\bM5 Pro/, 300, 14],
  [/\bM4 Pro/, 273, 6],
  [/\bM3 Pro/, 150, 4.6],
  [/\bM\d Pro/, 200, 3.8],
  [/\bM5/, 153, 8],
  [/\bM4/, 120, 3],
  [/\bM[23]/, 100, 2.4],
  [/\bM1/, 68, 1.6],
]

/** Undefined for processors of other makers, and for an Apple processor that came later. */
export function findApple(processor: string): GpuRow | undefined {
  const row = /Apple/.test(processor) ? ROWS.find(([pattern]) => pattern.test(processor)) : undefined
  return row && { bandwidth: row[1], promptTeraflops: row[2], memory: 'shared' }
}
