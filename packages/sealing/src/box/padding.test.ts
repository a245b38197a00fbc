import fc from 'fast-check'
import { expect, it } from 'vitest'
import { padEvent, padJob, unpad } from './padding.ts'

it('gives back what was padded, up to the last byte', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5_000 }), (bytes) => {
      expect(unpad(padEvent(bytes))?.equals(bytes)).toBe(true)
      expect(unpad(padJob(bytes))?.equals(bytes)).toBe(true)
    }),
    { numRuns: 100 },
  )
})

it('makes events a multiple of 64 bytes', () => {
  const sizes = (length: number) => padEvent(new Uint8Array(length)).length
  expect([0, 1, 60, 61, 124, 125].map(sizes)).toEqual([64, 64, 64, 128, 128, 192])
})

it('makes jobs a multiple of 1 KiB, and large ones of an eighth of the next power of two', () => {
  const sizes = (length: number) => padJob(new Uint8Array(length)).length / 1024
  expect([0, 1_020, 1_021, 8_188, 8_189].map(sizes)).toEqual([1, 1, 2, 8, 10])
  expect([100_000, 114_684, 114_685, 1_000_000].map(sizes)).toEqual([112, 112, 128, 1_024])
})

it('leaves at most 64 sizes between 1 KiB and 1 MiB', () => {
  const sizes = new Set<number>()
  for (let length = 0; length < 1_048_576; length += 4_093) sizes.add(padJob(new Uint8Array(length)).length)
  expect(sizes.size).toBeLessThanOrEqual(64)
})

it('rejects a length that is not there', () => {
  expect(unpad(Buffer.alloc(3))).toBeUndefined()
  expect(unpad(Buffer.from([0, 0, 0, 1]))).toBeUndefined()
  expect(unpad(Buffer.alloc(64, 0xff))).toBeUndefined()
})
