import { describe, expect, it } from 'vitest'
import { readAttachment } from './read-attachment.ts'

describe('an attached file', () => {
  it('is read as text, with its name and size', async () => {
    const file = await readAttachment(new File(['one\r\ntwo ä'], 'notes.txt'), 7)
    expect(file).toStrictEqual({ id: 7, name: 'notes.txt', size: 11, text: 'one\ntwo ä' })
  })

  it.each([
    ['larger than 200 KB', 'x'.repeat(200_001), /big.bin is too large: 200 KB\. The limit is 200 KB/],
    ['not UTF-8', new Uint8Array([0xff, 0xfe, 0x00, 0x41]), /is not a text file/],
    ['binary', new Uint8Array([0x50, 0x4b, 0x03, 0x00]), /is not a text file/],
    ['empty', ' \n', /is empty/],
  ])('is refused if it is %s', async (_what, content, message) => {
    await expect(readAttachment(new File([content], 'big.bin'), 1)).rejects.toThrow(message)
  })
})
