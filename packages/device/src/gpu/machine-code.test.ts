import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeCudaLibrary } from '../testing/make-cuda-library.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { machineCodeIn, runsOn } from './machine-code.ts'

describe('the machine code in a CUDA library', () => {
  it('is that of every card it was compiled for, without PTX', () => {
    const path = join(scratchFolder(), 'libggml-cuda.so')
    writeFileSync(path, makeCudaLibrary({ machineCode: [120, 86, 89], ptx: [75, 90] }))
    expect(machineCodeIn(path)).toEqual(['8.6', '8.9', '12.0'])
  })

  it.each([
    ['a missing file', undefined],
    ['a file of another kind', Buffer.from('text')],
    ['a file that was cut off', makeCudaLibrary({ machineCode: [86], ptx: [] }).subarray(0, 70)],
    ['a library without CUDA', makeCudaLibrary({ machineCode: [86], ptx: [], section: '.text' })],
  ])('is unknown for %s', (_, bytes) => {
    const path = join(scratchFolder(), 'libggml-cuda.so')
    if (bytes !== undefined) writeFileSync(path, bytes)
    expect(machineCodeIn(path)).toBeUndefined()
  })

  it('runs on later cards of the same generation, and on no other', () => {
    const code = ['8.6', '12.0']
    expect(runsOn('8.6', code)).toBe(true)
    expect(runsOn('8.9', code)).toBe(true)
    expect(runsOn('12.1', code)).toBe(true)
    expect(runsOn('8.0', code)).toBe(false)
    expect(runsOn('9.0', code)).toBe(false)
  })
})
