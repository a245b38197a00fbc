// The price of copying a slot, in prompt tokens that could be evaluated in the same time. A copy moves the whole slot, however few tokens of
// it are wanted, so the price grows with the slot. Measured with slots of 1,024 to 8,192 tokens of a small model: 6 to 88 tokens on a CPU,
// where both need the same memory, and 14 to 28 on a GPU, where starting a copy takes longer than the copy itself.

const CPU = { least: 16, share: 1 / 90 }
const GPU = { least: 24, share: 1 / 256 }

export function copyCostOf({ gpu, contextLength }: { gpu: string | false; contextLength: number }): number {
  const { least, share } = gpu === false ? CPU : GPU
  return Math.max(least, Math.ceil(contextLength * share))
}
