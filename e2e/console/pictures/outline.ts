// The outline of a page: its headings, texts, labels and controls, as a screen reader finds them, without the data that they show. It is the
// same on every machine and in every run, so it tells when a page has changed.

import { cpus } from 'node:os'

interface Line {
  depth: number
  role: string
  text: string
}

/** What devices of this machine report, which pages show in their sentences. */
const PROCESSOR = cpus()[0]?.model.trim() || 'unknown processor'

/** Elements that only hold data, or show something for a moment. */
const LEFT_OUT = new Set(['cell', 'definition', 'option', 'status', '/url'])
/** Elements whose content is data: the outline only says that they exist. */
const EMPTIED = new Set(['application', 'article', 'code', 'listitem', 'time'])
/** Elements whose names come from the data in them. */
const NAMELESS = new Set(['row'])

/** `snapshot` is what Playwright's `ariaSnapshot` returns: lines like `- button "Add a device" [pressed]`. */
export function outlineOf(snapshot: string): string {
  const kept: string[] = []
  /** Lines deeper than this belong to something that is left out or emptied. */
  let hiddenBelow = Number.POSITIVE_INFINITY
  for (const { depth, role, text } of snapshot.replaceAll(PROCESSOR, 'Processor').split('\n').flatMap(readLine)) {
    if (depth > hiddenBelow) continue
    hiddenBelow = LEFT_OUT.has(role) || EMPTIED.has(role) ? depth : Number.POSITIVE_INFINITY
    if (LEFT_OUT.has(role)) continue
    const line = ' '.repeat(depth) + (EMPTIED.has(role) || NAMELESS.has(role) ? role : text)
    // Lists have as many items as there is data.
    if (kept.at(-1) !== line) kept.push(line)
  }
  return `${kept.join('\n')}\n`
}

function readLine(line: string): Line[] {
  const [, indent, text, role] = /^( *)- ('?([a-z/]+).*)$/.exec(line) ?? []
  if (indent === undefined || text === undefined || role === undefined) return []
  return [{ depth: indent.length, role, text: withoutNumbers(text.replace(/:$/, '')) }]
}

/** Except the level of a heading. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/(?<!level=)\d[\d,.]*/g, '#')
}
