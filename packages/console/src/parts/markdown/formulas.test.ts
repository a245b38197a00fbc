import { describe, expect, it } from 'vitest'
import { markFormulas, readFormula } from './formulas.ts'

/** The formulas in the text, display formulas in brackets. */
function formulasIn(text: string): string[] {
  return Array.from(markFormulas(text).matchAll(/`([\uE000\uE001][^`]*)`/g), ([, code]) => {
    const { tex, isDisplay } = readFormula(code!)!
    return isDisplay ? `[${tex}]` : tex
  })
}

describe('formulas', () => {
  it.each([
    ['Euler: $e^{i\\pi} = -1$.', ['e^{i\\pi} = -1']],
    ['Euler: \\(e^{i\\pi} = -1\\).', ['e^{i\\pi} = -1']],
    ['$$\n\\frac{a}{b}\n$$', ['[\\frac{a}{b}]']],
    ['- so:\n  \\[ a_1\n\n  + b_1 \\]', ['[a_1 + b_1]']],
    ['$a$ and $b$, then $$c$$', ['a', 'b', '[c]']],
    ['the norm $|x| + \\|y\\|$', ['\\vert x\\vert  + \\Vert y\\Vert ']],
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
  ])('are not found in %j', (text) => {
    expect(markFormulas(text)).toBe(text)
  })

  it('are not found in code that no formula was made from', () => {
    expect(readFormula('x + y')).toBeUndefined()
  })
})
