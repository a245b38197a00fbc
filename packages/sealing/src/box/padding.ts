// Padding: the length in four bytes, the bytes, then zeros up to a multiple of a step. Sizes tell little about what is inside.

const LENGTH_BYTES = 4
const EVENT_STEP = 64
const SMALLEST_JOB_STEP = 1024

export function padEvent(plain: Uint8Array): Buffer {
  return pad(plain, EVENT_STEP)
}

/** Large jobs have larger steps: at most an eighth of the next power of two. */
export function padJob(plain: Uint8Array): Buffer {
  const nextPower = 2 ** Math.ceil(Math.log2(LENGTH_BYTES + plain.length))
  return pad(plain, Math.max(SMALLEST_JOB_STEP, nextPower / 8))
}

/** Undefined for what can't come from padding. */
export function unpad(padded: Buffer): Buffer | undefined {
  if (padded.length < LENGTH_BYTES) return undefined
  const end = LENGTH_BYTES + padded.readUInt32BE(0)
  return end <= padded.length ? padded.subarray(LENGTH_BYTES, end) : undefined
}

function pad(plain: Uint8Array, step: number): Buffer {
  const padded = Buffer.alloc(Math.ceil((LENGTH_BYTES + plain.length) / step) * step)
  padded.writeUInt32BE(plain.length, 0)
  padded.set(plain, LENGTH_BYTES)
  return padded
}
