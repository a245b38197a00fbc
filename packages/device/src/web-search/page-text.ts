// Extracts the readable text of a web page. It is a scanner, not a parser: it visits every character once, whatever the page contains.

import { withoutUnseen } from './clean-text.ts'

const SKIPPED = ['script', 'style', 'noscript', 'template', 'svg', 'head', 'nav', 'footer', 'iframe', 'select']
const LINES = /^\/?(p|div|br|li|ul|ol|tr|table|h[1-6]|section|article|main|header|aside|blockquote|pre|dd|dt|hr)$/
const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  copy: '©',
  euro: '€',
  deg: '°',
  middot: '·',
}
/** More than any answer needs. */
const MAX_TEXT = 200_000

export function pageText(html: string): string {
  const parts: string[] = []
  let room = MAX_TEXT
  for (let at = 0; at < html.length && room > 0;) {
    const tag = html.indexOf('<', at)
    const text = html.slice(at, Math.min(tag < 0 ? html.length : tag, at + room))
    parts.push(decodeEntities(text))
    // Count one extra: a lone bracket is text too.
    room -= text.length + 1
    if (tag < 0) break
    at = skipTag(html, tag, parts)
  }
  return tidy(parts.join(''))
}

/** Returns where the text continues after the tag, or after the whole element if it isn't readable. */
function skipTag(html: string, tag: number, parts: string[]): number {
  if (html.startsWith('<!--', tag)) return past(html, '-->', tag + 4)
  const name = /^\/?[a-z][a-z0-9]*/i.exec(html.slice(tag + 1, tag + 20))?.[0].toLowerCase()
  if (name === undefined && html[tag + 1] !== '!' && html[tag + 1] !== '?') {
    parts.push('<')
    return tag + 1
  }
  if (name !== undefined && LINES.test(name)) parts.push('\n')
  const end = past(html, '>', tag)
  return name !== undefined && SKIPPED.includes(name) ? past(html, '>', pastClosing(html, name, end)) : end
}

function pastClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}`, 'gi')
  closing.lastIndex = from
  return closing.test(html) ? closing.lastIndex : html.length
}

function past(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

function tidy(text: string): string {
  return withoutUnseen(text)
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}
