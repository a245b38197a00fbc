// Weights for made-up models: the same seed gives the same weights.

import type { GgufTensor } from './write-gguf.ts'

export class RandomTensors {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Keeps the size of what it multiplies. */
  matrix(name: string, from: number, to: number): GgufTensor {
    return this.vector(`${name}.weight`, [from, to], 1 / Math.sqrt(from))
  }

  norm(name: string, width: number): GgufTensor {
    return { name: `${name}.weight`, shape: [width], values: new Float32Array(width).fill(1) }
  }

  /** Evenly spread numbers whose standard deviation is `scale`. */
  vector(name: string, shape: readonly number[], scale: number): GgufTensor {
    const length = shape.reduce((product, size) => product * size, 1)
    return { name, shape, values: Float32Array.from({ length }, () => (this.#next() * 2 - 1) * Math.sqrt(3) * scale) }
  }

  /** How fast a state fades: negative, and slow enough that it remembers hundreds of tokens. */
  decay(name: string, shape: readonly number[]): GgufTensor {
    const { values } = this.vector(name, shape, 1)
    return { name, shape, values: values.map((value) => -0.01 * Math.exp(value)) }
  }

  /** From 0 to 1. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
