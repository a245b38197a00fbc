// Numbers as model files store them, in the types that matter to a test: each of them has kernels of its own.

/** By the number of the type in a file. */
export const STORED = { f32: 0, f16: 1, q4_1: 3, q4_k: 12 } as const
export type Stored = keyof typeof STORED

/** The rows of a matrix have a whole number of blocks. */
const BLOCK = { q4_1: 32, q4_k: 256 }
/** All 16 scales of a Q4_K block are 1, in 6 bits each: its numbers share one scale and one minimum. */
const ONES = Buffer.from([1, 1, 1, 1, 1, 1, 1, 1, 0x11, 0x11, 0x11, 0x11])

export function storeNumbers(values: Float32Array, stored: Stored): Buffer {
  if (stored === 'f32') return Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  if (stored === 'f16') return halves(values)
  const size = BLOCK[stored]
  const blocks = Array.from({ length: values.length / size }, (_, index) =>
    values.subarray(index * size, (index + 1) * size),
  )
  return Buffer.concat(blocks.flatMap(stored === 'q4_1' ? q4_1 : q4_k))
}

function q4_1(block: Float32Array): Buffer[] {
  const { least, step, steps } = inSteps(block)
  return [halves([step, least]), nibbles(steps)]
}

function q4_k(block: Float32Array): Buffer[] {
  const { least, step, steps } = inSteps(block)
  const parts = [0, 64, 128, 192].map((from) => nibbles(steps.subarray(from, from + 64)))
  return [halves([step, -least]), ONES, ...parts]
}

function inSteps(block: Float32Array): { least: number; step: number; steps: Uint8Array } {
  const least = Math.min(...block)
  const step = (Math.max(...block) - least) / 15
  return { least, step, steps: Uint8Array.from(block, (value) => Math.round((value - least) / step)) }
}

/** The first half in the lower bits, the second half in the upper ones. */
function nibbles(steps: Uint8Array): Buffer {
  const half = steps.length / 2
  return Buffer.from(Array.from({ length: half }, (_, index) => steps[index]! | (steps[half + index]! << 4)))
}

function halves(values: Iterable<number>): Buffer {
  return Buffer.from(Float16Array.from(values).buffer)
}
