import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { withFlippedBit } from '../testing/examples.ts'
import { closeBox, openBox } from './aes-box.ts'

const key = createSecretKey(Buffer.alloc(32, 1))
const plain = Buffer.from('the text')
const bound = Buffer.from('the header')

it('opens what was closed, with the same number and bound bytes alone', () => {
  const box = closeBox(key, 5, plain, bound)
  expect(openBox(key, 5, box, bound)).toEqual(plain)
  expect(openBox(key, 6, box, bound)).toBeUndefined()
  expect(openBox(key, 5, box)).toBeUndefined()
  expect(openBox(createSecretKey(Buffer.alloc(32, 2)), 5, box, bound)).toBeUndefined()
})

it('opens no box with another bit, or cut short anywhere', () => {
  const box = closeBox(key, 0, plain)
  for (let bit = 0; bit < box.length * 8; bit++) expect(openBox(key, 0, withFlippedBit(box, bit))).toBeUndefined()
  for (let length = 0; length < box.length; length++) expect(openBox(key, 0, box.subarray(0, length))).toBeUndefined()
})

it('matches the test case of the GCM specification for a 256-bit key and zeros', () => {
  const zeros = createSecretKey(Buffer.alloc(32))
  expect(closeBox(zeros, 0, Buffer.alloc(0)).toString('hex')).toBe('530f8afbc74536b9a963b4f1c4cb738b')
  const box = closeBox(zeros, 0, Buffer.alloc(16)).toString('hex')
  expect(box).toBe('cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919')
})
