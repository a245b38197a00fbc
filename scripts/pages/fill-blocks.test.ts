import { describe, expect, it } from 'vitest'
import { blocksIn, fillBlocks } from './fill-blocks.ts'

const PAGE = 'Before\n\n<!-- printed: a-block -->\n\nold\n\n<!-- printed: end -->\n\nAfter\n'

describe('the blocks of a page', () => {
  it('are replaced, and everything around them stays', () => {
    expect(fillBlocks(PAGE, { 'a-block': 'new' })).toBe(PAGE.replace('old', 'new'))
    expect(blocksIn(PAGE + PAGE)).toStrictEqual(['a-block', 'a-block'])
  })

  it('stay the same when they are printed again', () => {
    const once = fillBlocks(PAGE, { 'a-block': '$& $1' })
    expect(once).toContain('$& $1')
    expect(fillBlocks(once, { 'a-block': '$& $1' })).toBe(once)
  })

  it('must have a name that exists', () => {
    expect(() => fillBlocks(PAGE, { another: '' })).toThrow('No block is called "a-block". Blocks: another')
  })
})
