// A formula may be hostile: no links, images or HTML, no giant boxes, and nothing that grows far beyond its text.

import { ParseError, type KatexOptions } from 'katex'

/** With them, one line could become millions of characters. A formula of a response has no use for them. */
const DEFINITIONS = ['def', 'gdef', 'edef', 'xdef', 'let', 'futurelet', 'newcommand', 'renewcommand', 'providecommand']

const refuse = () => {
  throw new ParseError('A formula of a response defines no commands.')
}

export const FORMULA_LIMITS: KatexOptions = {
  trust: false,
  strict: 'ignore',
  macros: Object.fromEntries(DEFINITIONS.map((name) => [`\\${name}`, refuse])),
  maxExpand: 200,
  maxSize: 20,
  throwOnError: true,
}

/** Of elements. A fraction or a root takes about six. Browsers give up at some thousands. */
export const MOST_FORMULA_LEVELS = 200

interface Nested {
  readonly children: Iterable<Nested>
}

export function isShallow(root: Nested): boolean {
  let level = [root]
  for (let depth = 0; depth <= MOST_FORMULA_LEVELS; depth += 1) {
    level = level.flatMap(({ children }) => [...children])
    if (level.length === 0) return true
  }
  return false
}
