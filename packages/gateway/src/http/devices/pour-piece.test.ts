import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { pourPiece } from './pour-piece.ts'

const PATIENT = { bytes: 1, everyMs: 1_000_000 }
const IMPATIENT = { bytes: 100, everyMs: 5 }

function open(highWaterMark = 1_000) {
  const body = new PassThrough({ highWaterMark })
  const into = new PassThrough({ highWaterMark })
  body.on('error', () => {})
  return { body, into }
}

describe('the bytes of a piece', () => {
  it('are passed on as they come', async () => {
    const { body, into } = open()
    const pouring = pourPiece({ body, into, bytes: 6, slowest: PATIENT })
    body.write('abc')
    await expect.poll(() => into.readableLength).toBe(3)
    body.end('def')
    expect(await pouring).toBe('whole')
    into.end()
    expect(String(Buffer.concat(await into.toArray()))).toBe('abcdef')
  })

  it('wait in the sender while the other end does not read', async () => {
    const { body, into } = open(10)
    const pouring = pourPiece({ body, into, bytes: 1_000, slowest: PATIENT })
    for (let chunk = 0; chunk < 100; chunk++) body.write('x'.repeat(10))
    body.end()
    await expect.poll(() => into.writableNeedDrain).toBe(true)
    expect(into.readableLength + into.writableLength).toBeLessThan(100)
    into.resume()
    expect(await pouring).toBe('whole')
  })

  it.each([
    ['too few', 'abc'],
    ['too many', 'abcdefghijk'],
  ])('are the sender’s fault if there are %s', async (_, text) => {
    const { body, into } = open()
    body.end(text)
    expect(await pourPiece({ body, into, bytes: 10, slowest: PATIENT })).toBe('failed')
    expect(into.readableLength).toBeLessThanOrEqual(10)
  })

  it('are cut off if they come too slowly', async () => {
    const { body, into } = open()
    body.write('abc')
    expect(await pourPiece({ body, into, bytes: 10, slowest: IMPATIENT })).toBe('failed')
    expect(body.destroyed).toBe(true)
  })

  it('are cut off if they are read too slowly, which is not the sender’s fault', async () => {
    const { body, into } = open(10)
    body.write('x'.repeat(500))
    expect(await pourPiece({ body, into, bytes: 1_000, slowest: IMPATIENT })).toBe('left')
  })

  it('are no longer read once the other end is gone', async () => {
    const { body, into } = open()
    const pouring = pourPiece({ body, into, bytes: 10, slowest: PATIENT })
    into.destroy()
    expect(await pouring).toBe('left')
    expect(body.destroyed).toBe(true)
  })
})
