// How many tokens a slot gets when the owner does not say: as many as most conversations need, fewer where memory is short.

const LENGTHS = [8192, 6144, 4096, 3072, 2048, 1024] as const
/** A desktop goes on being a desktop: the slots take at most this share of what is free. */
const SHARE_OF_FREE = 0.5
const SHARE_OF_GPU = 0.9

export interface ContextNeed {
  bytes: number
  free: number
  gpuBytes: number
  gpuFree: number
}

export async function chooseContextLength(
  trained: number,
  need: (contextLength: number) => Promise<ContextNeed>,
): Promise<number> {
  const wanted = LENGTHS.map((length) => Math.min(length, trained))
  for (const length of new Set(wanted)) if (fits(await need(length))) return length
  return wanted.at(-1)!
}

function fits({ bytes, free, gpuBytes, gpuFree }: ContextNeed): boolean {
  return bytes <= free * SHARE_OF_FREE && gpuBytes <= gpuFree * SHARE_OF_GPU
}
