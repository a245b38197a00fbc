// Splits C++ source into tokens: strings with their escapes decoded, names, numbers and punctuation. Comments disappear, and adjacent
// strings become one, as in the language.

export type CppToken = { kind: 'string' | 'name' | 'number' | 'mark'; text: string }

const BLANK = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)+/y
const RAW = /R"([^()\\\s]{0,16})\(/y
const QUOTED = /"((?:[^"\\\n]|\\[^])*)"/y
const LETTER = /'(?:[^'\\]|\\.)+'/y
const NAME = /[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*/y
const NUMBER = /\d[\w.]*/y

export function readTokens(source: string): CppToken[] {
  const tokens: CppToken[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found !== null) at = pattern.lastIndex
    return found
  }
  const push = (kind: CppToken['kind'], text: string): void => {
    const last = tokens.at(-1)
    if (kind === 'string' && last?.kind === 'string') last.text += text
    else tokens.push({ kind, text })
  }
  while (at < source.length) {
    if (match(BLANK) !== null) continue
    const raw = match(RAW)
    if (raw !== null) {
      const end = source.indexOf(`)${raw[1]}"`, at)
      push('string', source.slice(at, end))
      at = end + raw[1]!.length + 2
      continue
    }
    const quoted = match(QUOTED)
    if (quoted !== null) push('string', unescape(quoted[1]!))
    else if (match(LETTER) !== null) push('mark', "'")
    else {
      const name = match(NAME)
      const number = name === null ? match(NUMBER) : null
      if (name !== null) push('name', name[0])
      else if (number !== null) push('number', number[0])
      else push('mark', source[at++]!)
    }
  }
  return tokens
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', '0': '\0' }

function unescape(text: string): string {
  return text.replaceAll(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|\n|.)/g, (_, escape: string) => {
    if (/^[xu]./.test(escape)) return String.fromCodePoint(Number.parseInt(escape.slice(1), 16))
    return escape === '\n' ? '' : (ESCAPES[escape] ?? escape)
  })
}
