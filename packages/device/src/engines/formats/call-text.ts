// A position in the text of calls, and the ways to move on from it. Fixed texts match whatever the whitespace in them; values keep theirs.

import type { Wording } from './tool-syntax.ts'

export class CallText {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  get rest(): string {
    return this.text.slice(this.at)
  }

  startsWith(wording: Wording): boolean {
    return toPattern(wording).test(this.rest)
  }

  /** Skips the wording if it comes next; whitespace in it matches any whitespace. */
  take(wording: Wording): boolean {
    const found = toPattern(wording).exec(this.rest)
    if (found === null) return false
    this.at += found[0].length
    return true
  }

  /** Whether the wording comes next, as far as the text goes: closing texts are often cut off. */
  isAtEnd(end: Wording): boolean {
    if (this.startsWith(end)) return true
    const whole = end.findLastIndex((_, index) => this.startsWith(end.slice(0, index + 1))) + 1
    const before = this.at
    this.take(end.slice(0, whole))
    const rest = compact(this.rest)
    this.at = before
    const next = end[whole]
    return typeof next === 'string' && compact(next).startsWith(rest)
  }

  takeAny(wordings: readonly Wording[]): boolean {
    return wordings.some((wording) => this.take(wording))
  }

  /** Skips the text up to and including the mark, and returns what was before it. */
  readUntil(mark: string): string | undefined {
    const end = this.find(mark)
    if (end === undefined) return undefined
    const text = this.text.slice(this.at, end.from)
    this.at = end.to
    return text
  }

  /**
   * The next place of the mark. The whitespace around it belongs to it as far as it is there. With `isEnd`, the first place that is
   * followed by something that may follow counts, because a value may contain its own closing tag.
   */
  find(mark: string, isEnd?: (to: number) => boolean): { from: number; to: number } | undefined {
    const core = mark.trim()
    if (core === '') return undefined
    let first: { from: number; to: number } | undefined
    const pattern = new RegExp(patternOf(core), 'g')
    pattern.lastIndex = this.at
    for (let found = pattern.exec(this.text); found !== null; found = pattern.exec(this.text)) {
      const place = this.#withBlanks(mark, found[0].length, found.index)
      pattern.lastIndex = found.index + 1
      if (isEnd === undefined || isEnd(place.to)) return place
      first ??= place
    }
    return first
  }

  #withBlanks(mark: string, length: number, at: number): { from: number; to: number } {
    const before = mark.slice(0, mark.length - mark.trimStart().length)
    const after = mark.slice(mark.trimEnd().length)
    const isBefore = at - before.length >= this.at && this.text.slice(at - before.length, at) === before
    const end = at + length
    return { from: isBefore ? at - before.length : at, to: this.text.startsWith(after, end) ? end + after.length : end }
  }
}

const PLACES = { number: '\\d+', id: '[\\w-]+', word: '[a-z]+' }
const patterns = new Map<Wording, RegExp>()

function toPattern(wording: Wording): RegExp {
  let pattern = patterns.get(wording)
  if (pattern === undefined) {
    pattern = compile(wording)
    // Descriptions live as long as their model; wordings made for one call are few.
    if (patterns.size > 500) patterns.clear()
    patterns.set(wording, pattern)
  }
  return pattern
}

function compile(wording: Wording): RegExp {
  const parts = wording.map((part) => {
    return typeof part === 'string' ? patternOf(part) : PLACES[part.any]
  })
  return new RegExp(`^\\s*${parts.join('')}`)
}

function patternOf(text: string): string {
  return text
    .split(BLANKS)
    .map((word) => RegExp.escape(word))
    .join('\\s*')
}

/** Where models add or leave out whitespace: between two tags, around brackets, and after commas and colons. */
const BLANKS = /\s+|(?<=[>}\])`,:])(?=[<{["`])/

const compact = (text: string): string => text.replaceAll(/\s+/g, '')
