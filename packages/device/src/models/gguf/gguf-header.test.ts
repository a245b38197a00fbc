import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CommandError } from '@hearth/command-line/errors'
import { text, uint32, uint64 } from '../../testing/gguf-bytes.ts'
import { makeGguf, type GgufParts } from '../../testing/make-gguf.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { readGgufHeader } from './gguf-header.ts'
import { readModelShape } from './model-shape.ts'

function file(bytes: Buffer | string): string {
  const path = join(scratchFolder(), 'model.gguf')
  writeFileSync(path, bytes)
  return path
}

describe('readGgufHeader', () => {
  it('reads the header of a model, also of the one in this repository', () => {
    expect(readGgufHeader(file(makeGguf()))).toEqual({
      version: 3,
      architecture: 'llama',
      name: 'A test',
      contextLength: 2048,
      hasChatTemplate: true,
      tensors: 1,
      files: 1,
      kind: 'model',
    })
    const tiny = fileURLToPath(new URL('../../../tiny-model/tiny.gguf', import.meta.url))
    expect(readGgufHeader(tiny)).toMatchObject({ architecture: 'llama', contextLength: 2048, hasChatTemplate: true })
  })

  it.each([
    ['a text of two gigabytes', [text('k'), uint32(8), uint64(2_000_000_000)]],
    ['a name of one gigabyte', [uint64(1_000_000_000)]],
    ['400 million empty texts', [text('k'), uint32(9), uint32(8), uint64(400_000_000)]],
  ])('reads nothing of %s', (_, field) => {
    const path = file(Buffer.concat([Buffer.from('GGUF'), uint32(3), uint64(0), uint64(1), ...field]))
    // Zeros that take no room on the disk.
    truncateSync(path, 4_000_000_000)
    expect(() => readGgufHeader(path)).toThrow(/damaged/)
  })

  it('skips a text that is too long to be of use', () => {
    const fields = { 'general.architecture': 'llama', 'tokenizer.huggingface.json': 'x'.repeat(2_000_000) }
    expect(readGgufHeader(file(makeGguf({ fields })))).toMatchObject({ architecture: 'llama', hasChatTemplate: false })
  })

  it('makes no list of layers that a file only claims to have', () => {
    const fields = { 'general.architecture': 'llama', 'llama.block_count': 4_000_000_000 }
    expect(() => readModelShape(file(makeGguf({ fields })))).toThrow(/4000000000 layers/)
  })

  it('notices a file that was truncated anywhere', () => {
    const whole = makeGguf()
    for (const length of [5, 12, 24, 60, 120, whole.length - 200, whole.length - 1])
      expect(() => readGgufHeader(file(whole.subarray(0, length)))).toThrow(/truncated or damaged/)
  })

  it.each([
    ['<!DOCTYPE html><html>', /web page/],
    ['version https://git-lfs.github.com/spec/v1', /Git LFS pointer/],
    [Buffer.from([20, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x22, 0x61]), /safetensors/],
    ['PK\u0003\u0004rest', /ZIP archive or a PyTorch/],
    ['tjgg....', /format before GGUF/],
    ['{"error": "not found"}', /JSON file/],
    [Buffer.from([0x1f, 0x8b, 8, 0]), /gzip/],
    ['', /an empty file/],
    ['hello', /unknown kind/],
  ])('says what a foreign file is (%s)', (bytes, message) => {
    expect(() => readGgufHeader(file(bytes))).toThrow(message)
  })

  it.each<[GgufParts, RegExp]>([
    [{ version: 1 }, /version 1 is not supported/],
    [{ version: 0x03000000 }, /big-endian/],
    [{ fieldCount: 2 ** 40 }, /damaged/],
    [{ fieldCount: 70_000 }, /damaged/],
    [{ tensorCount: 500 }, /damaged/],
    [{ tensorCount: 140_000 }, /damaged/],
    [{ fields: { 'general.name': 'x' } }, /which model architecture/],
  ])('rejects unknown versions, false counts and a model without an architecture: %j', (parts, message) => {
    expect(() => readGgufHeader(file(makeGguf(parts)))).toThrow(message)
  })

  it('says so if there is no such file, or it is a folder', () => {
    const folder = scratchFolder()
    expect(() => readGgufHeader(join(folder, 'none.gguf'))).toThrow(/Can't open the model file/)
    expect(() => readGgufHeader(folder)).toThrow(/not a file|EISDIR/)
  })

  it('never fails in another way, whatever bytes it gets', () => {
    const whole = makeGguf()
    const path = file(whole)
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 16 }), (at, noise) => {
        const bytes = Buffer.from(whole)
        bytes.set(noise.subarray(0, bytes.length - at), at)
        writeFileSync(path, bytes)
        try {
          readGgufHeader(path)
        } catch (error) {
          expect(error).toBeInstanceOf(CommandError)
        }
      }),
      { numRuns: 300 },
    )
  })
})
