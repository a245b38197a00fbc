// Reads values that are written as in a program: JSON, Python's constants and quotes, keys without quotes, and strings in a family's own
// quotes. The result is JSON text, so that numbers stay as the model wrote them.

export interface Literal {
  json: string
  end: number
}

interface Style {
  /** Quotes in addition to " and ', without escapes inside. */
  quote: string
  /** This has to follow a string, so that a quote inside it doesn't end it. */
  follows: RegExp
}

const CONSTANTS: Record<string, string> = { True: 'true', False: 'false', None: 'null' }
const WORD = /\s*(true|false|null|True|False|None)(?![\w])/y
const NUMBER = /\s*(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y
const BARE_KEY = /\s*([\w$.-]+)\s*(?=:)/y
const INSIDE = /\s*[,:\]}]/y
/** After an argument: the next one, or the end of the call. */
const BEHIND_ARGUMENT = /\s*(?:,\s*[A-Za-z_][\w.-]*\s*[=:]|\)\s*(?:[,\]<]|$)|\}\s*(?:<|$))/y

export function readArgumentLiteral(text: string, at: number, quote: string): Literal | undefined {
  return readLiteral(text, at, { quote, follows: BEHIND_ARGUMENT })
}

function readLiteral(text: string, from: number, style: Style): Literal | undefined {
  const at = skipBlanks(text, from)
  const constant = match(WORD, text, at)
  if (constant !== undefined) return { json: CONSTANTS[constant.found] ?? constant.found, end: constant.end }
  const number = match(NUMBER, text, at)
  if (number !== undefined) return { json: number.found, end: number.end }
  if (text[at] === '[' || text[at] === '(') return readList(text, at + 1, text[at] === '[' ? ']' : ')', style)
  if (text[at] === '{') return readObject(text, at + 1, style)
  return readString(text, at, style)
}

function readList(text: string, from: number, close: string, style: Style): Literal | undefined {
  return readItems(text, from, close, (at) => readLiteral(text, at, inside(style)), ['[', ']'])
}

function readObject(text: string, from: number, style: Style): Literal | undefined {
  const readMember = (at: number): Literal | undefined => {
    const bare = match(BARE_KEY, text, at)
    const key =
      bare === undefined
        ? readString(text, skipBlanks(text, at), inside(style))
        : { json: JSON.stringify(bare.found), end: bare.end }
    const colon = key === undefined ? -1 : skipBlanks(text, key.end)
    if (key === undefined || text[colon] !== ':') return undefined
    const value = readLiteral(text, colon + 1, inside(style))
    return value && { json: `${key.json}:${value.json}`, end: value.end }
  }
  return readItems(text, from, '}', readMember, ['{', '}'])
}

function readItems(
  text: string,
  from: number,
  close: string,
  read: (at: number) => Literal | undefined,
  [open, shut]: readonly [string, string],
): Literal | undefined {
  const items: string[] = []
  for (let at = skipBlanks(text, from); ; at = skipBlanks(text, at + 1)) {
    if (text[at] === close) return { json: `${open}${items.join(',')}${shut}`, end: at + 1 }
    const item = read(at)
    if (item === undefined) return undefined
    items.push(item.json)
    at = skipBlanks(text, item.end)
    if (text[at] === close) return { json: `${open}${items.join(',')}${shut}`, end: at + 1 }
    if (text[at] !== ',') return undefined
  }
}

const inside = (style: Style): Style => ({ ...style, follows: INSIDE })

function readString(text: string, at: number, { quote, follows }: Style): Literal | undefined {
  if (quote.length > 1 && text.startsWith(quote, at)) {
    const end = text.indexOf(quote, at + quote.length)
    return end < 0 ? undefined : { json: JSON.stringify(text.slice(at + quote.length, end)), end: end + quote.length }
  }
  const mark = text[at]
  if (mark !== '"' && mark !== "'") return undefined
  for (let end = at + 1; end < text.length; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === mark && match(follows, text, end + 1) !== undefined)
      return { json: JSON.stringify(unescape(text.slice(at + 1, end))), end: end + 1 }
  }
  return undefined
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '\n': '' }

function unescape(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^]))/g, (whole, wide, narrow, one: string) => {
    const code = (wide ?? narrow) as string | undefined
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    // Like Python, an escape that means nothing stays as it is.
    return ESCAPES[one] ?? (/["'\\/]/.test(one) ? one : whole)
  })
}

function skipBlanks(text: string, at: number): number {
  while (/\s/.test(text[at] ?? '')) at++
  return at
}

function match(pattern: RegExp, text: string, at: number): { found: string; end: number } | undefined {
  pattern.lastIndex = at
  const found = pattern.exec(text)
  return found === null ? undefined : { found: found[1] ?? found[0], end: pattern.lastIndex }
}
