import { describe, expect, it } from 'vitest'
import { findDuplicates } from './duplicates.ts'

const SUM = `
export function sum(values: readonly number[], from = 0): number {
  let total = from + values.length * 2
  for (const value of values) {
    if (Number.isNaN(value)) throw new Error('not a number')
    total += value * 2
    report(total, value)
  }
  return Math.round(total)
}
`
/** The same with other names, texts and numbers. */
const COST = SUM.replaceAll('value', 'price').replaceAll('total', 'cost').replaceAll('2', '100').replace('not a', 'no')

function find(...texts: string[]) {
  return findDuplicates(new Map(texts.map((text, index) => [`${index}.ts`, text])))
}

describe('findDuplicates', () => {
  it('finds the same lines, with the lines where they stand', () => {
    expect(find(SUM, `const other = 1\n${SUM}`)).toEqual([
      [
        { path: '0.ts', lines: [2, 7] },
        { path: '1.ts', lines: [3, 8] },
      ],
    ])
  })

  it('finds lines of the same shape, whatever their names, texts and numbers', () => {
    expect(find(SUM, COST)).toHaveLength(1)
  })

  it('finds them in one file, too', () => {
    expect(find(SUM + COST)).toHaveLength(1)
  })

  it('takes other words of the language for other lines', () => {
    expect(find(SUM, SUM.replace('const', 'let').replace('throw new', 'return'))).toEqual([])
  })

  it('does not count comments, imports and brackets', () => {
    const [first = '', ...rest] = SUM.trim().split('\n')
    const commented = [first, '  // Why.', '', ...rest].join('\n')
    expect(find(SUM, commented)).toHaveLength(1)
    const imports = ['import {', ...'abcdefgh'.split('').map((name) => `  ${name}, type ${name}`), "} from 'x'"]
    expect(find(imports.join('\n'), imports.join('\n'))).toEqual([])
  })

  it('leaves alone what only looks alike: tables, and what stands in many places', () => {
    const table = (name: string) => Array.from({ length: 20 }, (_, row) => `  ${name}${row}: '${row}',`).join('\n')
    expect(find(table('a'), table('b'))).toEqual([])
    expect(find(...Array.from({ length: 9 }, () => SUM))).toEqual([])
  })
})
