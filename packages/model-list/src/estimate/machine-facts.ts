// A machine, as far as somebody knows it. Every fact may be missing.

export interface MachineFacts {
  /** As the system calls it: "Apple M2 Pro", "AMD Ryzen 7 7840U". */
  processor?: string | undefined
  /** Logical cores. */
  cores?: number | undefined
  memoryBytes?: number | undefined
  /** The graphics card that models compute on. Absent if they compute on the processor. */
  gpu?: string | undefined
  /** Of a card with its own memory. Without it, the card's name has to tell. */
  gpuMemoryBytes?: number | undefined
  /** The most that one model may take, weights and context together, if the device has said so. */
  roomBytes?: number | undefined
  diskFreeBytes?: number | undefined
}
