// Chooses the tokens per slot if the owner didn't set them: enough for most conversations, fewer if memory is short.

const LENGTHS = [8192, 6144, 4096, 3072, 2048, 1024] as const
/** Slots take at most this share of the free memory, so that the machine stays usable. */
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
