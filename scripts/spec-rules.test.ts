import { describe, expect, it } from 'vitest'
import { compareSpec, isClean, reportLines } from './spec-rules.ts'

const SPEC = '# Rules\n\n## C. Bodies\n\n- **C23** Text.\n- **C24a** Text that mentions **C99** and - **C98** x.\n'

function compare(text: string, spec = SPEC) {
  return compareSpec(spec, new Map([['a.test.ts', text]]))
}

describe('compareSpec', () => {
  it('is clean when every rule is named at the start of a title', () => {
    const report = compare(`it('[C23] one', () => {})\nit.each(rows)("[C24a] %s", check)`)
    expect(report).toEqual({ rules: 2, proven: 2, repeated: [], untested: [], unknown: [] })
    expect(isClean(report)).toBe(true)
  })

  it('reads several ids of one title, and titles kept in tables', () => {
    expect(compare('const rows = [{ title: `[C23] [C24a] both`, body: 1 }]').untested).toEqual([])
  })

  it('lists rules that no title names', () => {
    const report = compare(`it('[C23] one', () => {})`)
    expect(report.untested).toEqual(['C24a'])
    expect(isClean(report)).toBe(false)
  })

  it('does not count an id in a comment or inside a title', () => {
    expect(compare(`// [C23]\nit('says [C24a] later', () => {})`).untested).toEqual(['C23', 'C24a'])
  })

  it('lists titles that name no rule, with their file', () => {
    const report = compare(`it('[C23] [C24a] both', () => {})\nit('[Z1] gone', () => {})`)
    expect(report.unknown).toEqual([{ id: 'Z1', file: 'a.test.ts' }])
    expect(isClean(report)).toBe(false)
  })

  it.each([
    "it('[N61] is never doubled', () => {})",
    "it('[C23] [N61] is never doubled', () => {})",
    'it.each(rows)(`is never doubled [N61]: %s`, check)',
    "describe('the queue ([N61])', () => {})",
    "const rows = [['[N61] is never doubled', 1]]",
    '// As [N61] says.',
  ])('lists a code that is no rule, wherever it stands: %s', (text) => {
    const report = compare(`it('[C23] [C24a] both', () => {})\n${text}`)
    expect(report.unknown).toEqual([{ id: 'N61', file: 'a.test.ts' }])
    expect(isClean(report)).toBe(false)
  })

  it('takes no part of a list for a code', () => {
    expect(compare("it('[C23] [C24a] both', () => list[N1] + of(list)[N1])").unknown).toEqual([])
  })

  it('lists ids that stand twice', () => {
    const report = compare(`it('[C23] [C24a] both', () => {})`, `${SPEC}- **C23** Again.\n`)
    expect(report.repeated).toEqual(['C23'])
    expect(isClean(report)).toBe(false)
  })
})

describe('a SPEC with more than 250 rules', () => {
  const numbers = Array.from({ length: 251 }, (_, index) => index + 1)
  const report = (count: number) => {
    const ids = numbers.slice(0, count).map((number) => `C${number}`)
    const spec = ids.map((id) => `- **${id}** Text.\n`).join('')
    return compare(ids.map((id) => `it('[${id}] one')`).join('\n'), spec)
  }

  it('fails, and says what belongs in a SPEC', () => {
    expect(isClean(report(251))).toBe(false)
    expect(reportLines(report(251))).toEqual([
      expect.stringContaining('SPEC.md holds the public interface'),
      '251 rules, 251 with a test, 0 without, 0 unknown',
    ])
  })

  it('is clean with one less', () => {
    expect(isClean(report(250))).toBe(true)
    expect(reportLines(report(250))).toHaveLength(1)
  })
})

describe('reportLines', () => {
  it('names each fault with what to do and ends with the counts', () => {
    expect(reportLines(compare(`it('[C23] one')\nit('[Z1] gone')`))).toEqual([
      'C24a: no test names it; write one whose title starts with "[C24a]"',
      'Z1: in a.test.ts, but SPEC.md has no such rule; say it in words',
      '2 rules, 1 with a test, 1 without, 1 unknown',
    ])
  })
})
