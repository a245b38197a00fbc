import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markFormulas, restoreFormulas } from './formulas.ts'

/** The formulas in the text, display formulas in brackets. */
function formulasIn(text: string): string[] {
  return markFormulas(text).formulas.map(({ tex, isDisplay }) => (isDisplay ? `[${tex}]` : tex))
}

describe('formulas', () => {
  it.each([
    ['Euler: $e^{i\\pi} = -1$.', ['e^{i\\pi} = -1']],
    ['Euler: \\(e^{i\\pi} = -1\\).', ['e^{i\\pi} = -1']],
    ['$$\n\\frac{a}{b}\n$$', ['[\\frac{a}{b}]']],
    ['- so:\n  \\[ a_1\n\n  + b_1 \\]', ['[a_1\n\n  + b_1]']],
    ['$a$ and $b$, then $$c$$', ['a', 'b', '[c]']],
    ['the norm $|x| + \\|y\\|$', ['|x| + \\|y\\|']],
  ])('are found in %j', (text, found) => {
    expect(formulasIn(text)).toStrictEqual(found)
  })

  it.each([
    'It costs $5, or $50 a year.',
    'From $5-$10 and $ 7 $',
    'Run `echo $HOME $PATH$` now',
    '```sh\necho $a$ $$b$$\n```',
    '- list\n  ~~~\n  \\(x\\)\n  ~~~',
    'an unfinished $$x + y',
    'a \\$ sign and another \\$',
    'US$5 and CA$6$',
    'a mark \uE0000\uE001 that somebody wrote, and $x$',
  ])('are not found in %j', (text) => {
    expect(markFormulas(text)).toStrictEqual({ marked: text, formulas: [] })
  })

  it('come back as they were, from any text', () => {
    const delimiters = ['$', '$$', '\\(', '\\)', '\\[', '\\]']
    const piece = fc.constantFrom(...delimiters, '`', '```', '\n', 'x', '5', ' ', '\\', '\uE0000\uE001')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('')
        const { marked, formulas } = markFormulas(text)
        expect(restoreFormulas(marked, formulas)).toBe(text)
      }),
    )
  })
})
