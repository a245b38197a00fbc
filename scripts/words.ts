// One word for one thing, in the code too: docs/words.md lists the terms, and what each of them must not be called. A word
// there stands for every identifier that has it as a part; one in `code` stands for exactly that identifier.

import { type Sources } from './structure.ts'

export interface Term {
  name: string
  isNot: readonly string[]
}

const TITLE = '## In the code'
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm
/** Words that people see between tags. */
const JSX_TEXT = />[^<>{}=;]*</g
const TEXT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g
const TEMPLATE = /`(?:\\.|\$\{[^}]*\}|[^`\\])*`/g
const IDENTIFIER = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu
/** Operators have the old names of metrics on their dashboards. */
const METRIC = /^hearth_/

/** Of the table under the title. */
export function readTerms(page: string): Term[] {
  const [, after = ''] = page.split(`${TITLE}\n`)
  const [table = ''] = after.split('\n## ')
  const rows = table.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(2).map((row) => {
    const [, names = '', , isNot = ''] = row.split('|').map((cell) => cell.trim())
    return {
      name: names,
      isNot: isNot
        .split(',')
        .map((word) => word.trim())
        .filter(Boolean),
    }
  })
}

export function findRepeatedTerms(terms: readonly Term[]): string[] {
  const names = terms.flatMap(({ name }) => name.split(',').map((one) => one.trim()))
  return names.filter((name, index) => names.indexOf(name) !== index)
}

/** The places where a thing is called what it must not be called. */
export function findWrongWords(terms: readonly Term[], sources: Sources): string[] {
  const wrong = new Map(terms.flatMap(({ name, isNot }) => isNot.map((word) => [word, name] as const)))
  const found: string[] = []
  for (const [path, text] of sources)
    for (const [index, line] of codeOf(path, text).split('\n').entries())
      for (const [identifier] of line.matchAll(IDENTIFIER)) {
        const word = METRIC.test(identifier) ? undefined : wrongWordIn(identifier, wrong)
        if (word !== undefined)
          found.push(`${path}:${index + 1}: ${identifier} should be: ${wrong.get(word)} (docs/words.md)`)
      }
  return found
}

function wrongWordIn(identifier: string, wrong: ReadonlyMap<string, string>): string | undefined {
  const exact = `\`${identifier}\``
  return wrong.has(exact) ? exact : partsOf(identifier).find((part) => wrong.has(part))
}

function partsOf(identifier: string): string[] {
  return identifier
    .replaceAll(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1_')
    .toLowerCase()
    .split('_')
}

/** Without comments and strings, line for line. */
function codeOf(path: string, text: string): string {
  const empty = (found: string): string => found.replaceAll(/[^\n]/g, ' ')
  const plain = text.replaceAll(TEXT, empty).replaceAll(COMMENT, empty)
  const code = path.endsWith('.tsx') ? plain.replaceAll(JSX_TEXT, empty) : plain
  return code.replaceAll(TEMPLATE, (template) =>
    template.replaceAll(/(\$\{[^}]*\})|[^\n]/g, (one, value) => value ?? ' '),
  )
}
