import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { keptSizes } from './kept-sizes.ts'

let path: string
beforeEach(() => {
  path = join(scratchFolder(), 'sizes.json')
})

const ABOUT = { digest: 'abc', processor: 'AVX2', threads: 2, release: '1', cache: 'f16' }
const measuring = (short: number, long: number, isWhole = true) => vi.fn(async () => ({ short, long, isWhole }))

describe('the sizes of a file', () => {
  it('are measured once', async () => {
    const measure = measuring(8, 1)
    for (const _ of [1, 2]) expect(await keptSizes(path, ABOUT, measure)).toMatchObject({ short: 8, long: 1 })
    expect(measure).toHaveBeenCalledTimes(1)
  })

  it.each(Object.keys(ABOUT))('are measured again with another %s', async (name) => {
    await keptSizes(path, ABOUT, measuring(8, 1))
    const measure = measuring(4, 1)
    expect(await keptSizes(path, { ...ABOUT, [name]: 'other' }, measure)).toMatchObject({ short: 4 })
    expect(measure).toHaveBeenCalled()
  })

  it('only grow if there was no time for all of them', async () => {
    await keptSizes(path, ABOUT, measuring(8, 1, false))
    expect(await keptSizes(path, ABOUT, measuring(3, 2, false))).toMatchObject({ short: 8, long: 2 })
    expect(await keptSizes(path, ABOUT, measuring(63, 2))).toMatchObject({ short: 63 })
    expect(await keptSizes(path, ABOUT, measuring(1, 1))).toMatchObject({ short: 63, long: 2 })
  })

  it('are measured each time if nothing tells the file or where to keep them', async () => {
    const measure = measuring(8, 1)
    for (const _ of [1, 2]) await keptSizes(path, { ...ABOUT, digest: undefined! }, measure)
    for (const _ of [1, 2]) await keptSizes(undefined, ABOUT, measure)
    expect(measure).toHaveBeenCalledTimes(4)
  })

  it('are measured again if the memory is damaged', async () => {
    writeFileSync(path, '{"')
    expect(await keptSizes(path, ABOUT, measuring(8, 1))).toMatchObject({ short: 8 })
    expect(await keptSizes(path, ABOUT, measuring(1, 1))).toMatchObject({ short: 8 })
  })
})
