import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonScan, MAX_DEPTH, MAX_VALUES } from './json-scan.ts'

function scan(text: string, chunkBytes = Infinity): { excess: string | undefined; values: number } {
  const bytes = Buffer.from(text)
  const scan = new JsonScan()
  let excess
  for (let start = 0; start < bytes.length && !excess; start += chunkBytes)
    excess = scan.take(bytes.subarray(start, Math.min(bytes.length, start + chunkBytes)))
  return { excess, values: scan.values }
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

/** The number of values of a parsed document, not counting the document itself. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const items: unknown[] = Object.values(value)
  return items.length + items.reduce((sum: number, item) => sum + countValues(item), 0)
}

describe('a scan of JSON', () => {
  it.each([
    [nested(MAX_DEPTH), undefined],
    [nested(MAX_DEPTH + 1), 'depth'],
    [`{"a":${'{"a":'.repeat(MAX_DEPTH)}1${'}'.repeat(MAX_DEPTH)}}`, 'depth'],
    [`["${'['.repeat(100)}"]`, undefined],
    [`["\\"${'['.repeat(100)}", []]`, undefined],
    [`["\\\\", ${nested(MAX_DEPTH)}]`, 'depth'],
    [`[${'[],'.repeat(1_000)}[]]`, undefined],
  ])('[C26a] %.40s… exceeds %s', (text, expected) => {
    for (const chunkBytes of [Infinity, 1, 2, 7, 33]) expect(scan(text, chunkBytes).excess).toBe(expected)
  })

  it.each([
    `{"x":[${'[],'.repeat(MAX_VALUES)}[]]}`,
    `[${'1,'.repeat(MAX_VALUES + 1)}1]`,
    `{${'"a":1,'.repeat(MAX_VALUES + 1)}"a":1}`,
  ])('[C26f] %.20s… has too many values', (text) => {
    expect(scan(text, 65_536).excess).toBe('values')
  })

  it('[C26f] commas and brackets inside strings are not values', () => {
    const text = JSON.stringify({ a: ',[{'.repeat(MAX_VALUES), b: `",\\`.repeat(MAX_VALUES) })
    expect(scan(text, 65_536)).toEqual({ excess: undefined, values: 2 })
  })

  it('[C26f] counts every value at least once, wherever the chunks begin and end', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.integer({ min: 1, max: 80 }), (value, chunkBytes) => {
        const text = JSON.stringify(value, undefined, chunkBytes % 3)
        const whole = scan(text)
        expect(scan(text, chunkBytes)).toEqual(whole)
        expect(whole.values).toBeGreaterThanOrEqual(countValues(value))
        expect(whole.values).toBeLessThanOrEqual(2 * countValues(value) + 1)
      }),
    )
  })

  it('[C26f] finds the end of every string, however it is escaped', () => {
    const piece = fc.constantFrom('"', '\\', 'x'.repeat(31), 'x'.repeat(32), 'x'.repeat(33), '\u00e9', '[', ',')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 80 }), (pieces, chunkBytes) => {
        const text = `[${JSON.stringify(pieces.join(''))},[]]`
        expect(scan(text, chunkBytes)).toEqual({ excess: undefined, values: 3 })
      }),
    )
  })
})
