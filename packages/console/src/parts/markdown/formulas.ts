// Finds LaTeX formulas in Markdown before it is parsed, because Markdown would eat their backslashes and underscores. A short mark, which
// Markdown leaves alone, takes the place of each formula until the text is shown.

export interface FormulaSource {
  tex: string
  isDisplay: boolean
  /** As it stands in the text. */
  source: string
}

/** Private characters, so no text that means anything is taken for a mark. */
const BEGIN = '\uE000'
const END = '\uE001'
const MARK = /\uE000(\d+)\uE001/

const CODE_BLOCK =
  /^[ \t]*(?<fence>`{3,}|~{3,})[^\n]*(?:\n[\s\S]*?(?:\n[ \t]*\k<fence>[`~]*[ \t]*(?=\n|(?![\s\S]))|(?![\s\S]))|(?![\s\S]))/
const CODE = /(?<!`)(?<ticks>`+)(?!`)[\s\S]*?[^`]\k<ticks>(?!`)/
const ESCAPED_DOLLAR = /\\\$/
// No formula contains the beginning of another. So the search for an end never passes the next beginning, and the time grows with the length only.
const DISPLAY_FORMULA = /\$\$([^$]{1,4000}?)\$\$|\\\[((?:(?!\\\[)[\s\S]){1,4000}?)\\\]/
/** As in Pandoc: no space inside the dollar signs and no digit after them, so that prices stay prices. */
const INLINE_FORMULA =
  /(?<![\\$\w])\$(?=[^\s$])([^$\n]{0,4000}?[^\s\\$])\$(?![\w$])|\\\(((?:(?!\\\()[\s\S]){1,4000}?)\\\)/

const PARTS = new RegExp(
  [CODE_BLOCK, CODE, ESCAPED_DOLLAR, DISPLAY_FORMULA, INLINE_FORMULA].map(({ source }) => source).join('|'),
  'gm',
)

/** The same Markdown with a mark for each formula, and the formulas in the order of their marks. */
export function markFormulas(text: string): { marked: string; formulas: FormulaSource[] } {
  const formulas: FormulaSource[] = []
  if (!/\$|\\[[(]/.test(text) || text.includes(BEGIN)) return { marked: text, formulas }
  const marked = text.replaceAll(PARTS, (part: string, ...groups: (string | undefined)[]) => {
    const [, , dollars, brackets, dollar, parentheses] = groups
    const display = dollars ?? brackets
    const tex = display ?? dollar ?? parentheses
    if (tex === undefined) return part
    return `${BEGIN}${formulas.push({ tex: tex.trim(), isDisplay: display !== undefined, source: part }) - 1}${END}`
  })
  return { marked, formulas }
}

/** The text as it was before `markFormulas`. */
export function restoreFormulas(text: string, formulas: readonly FormulaSource[]): string {
  return splitFormulas(text, formulas)
    .map((piece) => (typeof piece === 'string' ? piece : piece.source))
    .join('')
}

/** The text between the marks, and the formulas in their places. */
export function splitFormulas(text: string, formulas: readonly FormulaSource[]): (string | FormulaSource)[] {
  if (formulas.length === 0) return [text]
  return text.split(MARK).map((piece, index) => (index % 2 === 0 ? piece : (formulas[Number(piece)] ?? piece)))
}
