// Footnotes, shown where they stand in the text: `[^name]` is raised where such a note exists, and so is the name at the beginning of the note.

import type { Env, MarkdownIt, StateBlock, StateInline } from 'markdown-it'

const NOTE = /^\[\^([^\]\s]{1,100})\]:/
const REFERENCE = /\[\^([^\]\s]{1,100})\](:?)/y

export function footnotes(parser: MarkdownIt): void {
  const paragraph = parser.block.ruler.getRules('').at(-1)
  parser.block.ruler.before('reference', 'footnote', readNote, { alt: ['paragraph', 'reference'] })
  parser.inline.ruler.before('link', 'footnote', readReference)

  /** A paragraph, which ends where the next note begins. */
  function readNote(state: StateBlock, line: number, end: number, isLooking: boolean): boolean {
    const [bMark = 0, shift = 0, indent = 0] = [state.bMarks[line], state.tShift[line], state.sCount[line]]
    const [, name] = NOTE.exec(state.src.slice(bMark + shift, state.eMarks[line])) ?? []
    if (name === undefined || indent - state.blkIndent > 3) return false
    if (isLooking) return true
    notesIn(state.env).add(name)
    return paragraph?.(state, line, end, false) ?? false
  }
}

function readReference(state: StateInline, isLooking: boolean): boolean {
  if (state.src[state.pos] !== '[') return false
  REFERENCE.lastIndex = state.pos
  const [mark, name, colon] = REFERENCE.exec(state.src) ?? []
  if (mark === undefined || name === undefined || !notesIn(state.env).has(name)) return false
  const isNote = state.pos === 0 && colon !== ''
  if (!isLooking) state.push('footnote', 'sup', 0).content = name
  state.pos += isNote ? mark.length : mark.length - (colon?.length ?? 0)
  return true
}

/** The names of the notes in the text. */
export function notesIn(env: Env): Set<string> {
  env['footnotes'] ??= new Set<string>()
  return env['footnotes'] as Set<string>
}
