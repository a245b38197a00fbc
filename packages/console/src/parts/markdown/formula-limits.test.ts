import katex from 'katex'
import { describe, expect, it } from 'vitest'
import { FORMULA_LIMITS, isShallow, MOST_FORMULA_LEVELS } from './formula-limits.ts'

const typeset = (tex: string) => katex.renderToString(tex, FORMULA_LIMITS)

describe('a formula', () => {
  it.each([
    '\\def\\a#1{#1#1#1#1}\\a{\\a{\\a{x}}}',
    '\\newcommand{\\a}{x}\\a',
    '\\global\\def\\a{x}',
    '\\long\\def\\a{x}',
    '\\let\\a=x\\a',
    '\\gdef\\a{x}',
  ])('%s defines no commands', (tex) => {
    expect(() => typeset(tex)).toThrow('defines no commands')
  })

  it.each(['\\frac{a}{b} \\implies \\dots', '\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}', '\\bmod x \\pmod y'])(
    '%s is typeset',
    (tex) => {
      expect(typeset(tex)).toContain('katex-html')
    },
  )

  it('leads nowhere and loads nothing', () => {
    expect(typeset('\\href{https://a.example}{x} \\includegraphics{https://a.example}')).not.toMatch(/<a |<img /)
  })

  it('is shallow up to a number of levels', () => {
    const nest = (levels: number) =>
      Array.from({ length: levels }).reduce<{ children: { children: [] }[] }>(
        (child) => ({ children: [child as never] }),
        { children: [] },
      )
    expect(isShallow(nest(MOST_FORMULA_LEVELS))).toBe(true)
    expect(isShallow(nest(MOST_FORMULA_LEVELS + 1))).toBe(false)
  })
})
