// Finds LaTeX formulas in Markdown before it is parsed, because Markdown would eat their backslashes and underscores. Each formula becomes
// inline code with a mark in front, which Markdown leaves alone and the renderer turns into a formula.

/** Private characters, so no text that means anything is taken for a mark. */
const INLINE = '\uE000'
const DISPLAY = '\uE001'

export interface FormulaSource {
  tex: string
  isDisplay: boolean
}

const CODE_BLOCK =
  /^[ \t]*(?<fence>`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?(?:\n[ \t]*\k<fence>[`~]*[ \t]*(?=\n|(?![\s\S]))|(?![\s\S]))|(?![\s\S]))/
const CODE = /(?<!`)(?<ticks>`+)(?!`)[\s\S]*?[^`]\k<ticks>(?!`)/
const ESCAPED_DOLLAR = /\\\$/
// Bounded, so that many formulas without an end cost little.
const DISPLAY_FORMULA = /\$\$([^$]{1,4000}?)\$\$|\\\[([\s\S]{1,4000}?)\\\]/
/** As in Pandoc: no space inside the dollar signs and no digit after them, so that prices stay prices. */
const INLINE_FORMULA = /(?<![\\$\w])\$(?=[^\s$])([^$\n]*?[^\s\\$])\$(?![\w$])|\\\(([\s\S]{1,4000}?)\\\)/

const PARTS = new RegExp(
  [CODE_BLOCK, CODE, ESCAPED_DOLLAR, DISPLAY_FORMULA, INLINE_FORMULA].map(({ source }) => source).join('|'),
  'gm',
)

/** The same Markdown, with every formula as marked inline code. */
export function markFormulas(text: string): string {
  if (!/\$|\\[[(]/.test(text)) return text
  return text.replaceAll(PARTS, (part: string, ...groups: (string | undefined)[]) => {
    const [, , dollars, brackets, dollar, parentheses] = groups
    const display = dollars ?? brackets
    if (display !== undefined) return mark(DISPLAY, display)
    const inline = dollar ?? parentheses
    return inline === undefined ? part : mark(INLINE, inline)
  })
}

/** Inline code can't span blank lines. Bars would end a cell of a table, and TeX has a word for them. */
function mark(kind: string, tex: string): string {
  const line = tex.trim().replaceAll(/\s+/g, ' ')
  const fence = line.includes('`') ? '``' : '`'
  const safe = /\{array\}|\{tabular\}/.test(line) ? line : line.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ')
  return `${fence}${kind}${safe}${fence}`
}

/** The formula in this inline code, if `markFormulas` made it. */
export function readFormula(code: string): FormulaSource | undefined {
  const [kind] = code
  if (kind !== INLINE && kind !== DISPLAY) return undefined
  return { tex: code.slice(1), isDisplay: kind === DISPLAY }
}
