import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { blocksIn } from './fill-blocks.ts'
import { printBlocks } from './printed-blocks.ts'
import { handWritten, printPages, ROOT } from './printed-pages.ts'

function read(path: string): string {
  return readFileSync(ROOT + path, 'utf8')
}

describe('pages printed from the code', async () => {
  it.each(await printPages())('$path is what npm run docs would print', ({ path, text }) => {
    expect(read(path)).toBe(text)
  })

  it('contain every block that can be printed', async () => {
    const used = handWritten().flatMap((path) => blocksIn(read(path)))
    expect([...new Set(used)].toSorted()).toStrictEqual(Object.keys(await printBlocks()).toSorted())
  })
})
