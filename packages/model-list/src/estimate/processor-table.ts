// Processors by name: the bandwidth of the memory that they usually have, and how much of it a core can use.

export interface ProcessorRow {
  /** GB/s of all memory channels together. */
  bandwidth: number
  /** GB/s of weights that one logical core gets through. */
  perCore: number
  /** Gigaflops that one logical core reaches when it reads a prompt of a 4-bit model. */
  promptGigaflops: number
}

type Row = readonly [pattern: RegExp, bandwidth: number, perCore: number, promptGigaflops: number]

/** The first row that matches counts. Virtual machines give the processor's family only. */
const ROWS: readonly Row[] = [
  [/EPYC 9|EPYC-Genoa|EPYC-Turin/, 460, 5, 60],
  [/EPYC/, 200, 4, 35],
  [/Threadripper/, 160, 5, 50],
  [/Xeon/, 300, 6.5, 200],
  [/Ryzen AI Max/i, 256, 6, 50],
  [/Ryzen AI|Core\(?T?M?\)? Ultra/i, 110, 6, 40],
  [/Ryzen \d (PRO )?[789]\d\d\d/, 80, 5, 45],
  [/Ryzen/, 48, 4, 35],
  [/1[2-9]th Gen/, 75, 5, 35],
  [/Core\(?T?M?\)? [3579]\b/, 75, 5, 35],
  [/\bN\d{2,3}\b|Celeron|Pentium|Atom/, 30, 4, 12],
  [/Core/, 38, 4, 25],
  [/Snapdragon|Oryon/i, 130, 7, 60],
  [/Neoverse|Ampere|Altra|Graviton/i, 200, 4, 40],
  [/Cortex-A76|Raspberry Pi 5/, 17, 4, 12],
  [/Cortex|Raspberry/, 8, 2, 4],
]

/** An older laptop. */
const UNKNOWN: Row = [/$/, 38, 4, 25]

export function findProcessor(name: string): ProcessorRow {
  const [, bandwidth, perCore, promptGigaflops] = ROWS.find(([pattern]) => pattern.test(name)) ?? UNKNOWN
  return { bandwidth, perCore, promptGigaflops }
}
