import { describe, expect, it } from 'vitest'
import { makeCsv } from './make-csv.ts'
import { usageOf } from './testing/usage-of.ts'

describe('makeCsv', () => {
  it('writes a line for each step and name', () => {
    expect(makeCsv(usageOf([['2026-11-15T12:00:00.000Z', 'a', 2]]), 'model')).toBe(
      '"time","model","model id","requests","errors","tokens in","tokens out","wait ms"\r\n' +
        '"2026-11-15T12:00:00.000Z","name of a","a",2,0,4,6,200\r\n',
    )
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('keeps %j from running as a formula', (id) => {
    expect(makeCsv(usageOf([['2026-11-15T12:00:00.000Z', id, 1]]), 'key')).toContain(`,"'${id}",`)
  })

  it('escapes quotes, commas and line breaks', () => {
    expect(makeCsv(usageOf([['2026-11-15T12:00:00.000Z', 'a",\r\nb', 1]]), 'key')).toContain(',"a"",\r\nb",')
  })
})
