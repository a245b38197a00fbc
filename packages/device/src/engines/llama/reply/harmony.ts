// Replies of gpt-oss. They consist of messages, each with a header that names its channel: thinking is in "analysis", the content in "final",
// and a header that names a function makes the message a tool call.

import type { Piece } from './marks.ts'
import { MarkScanner } from './marks.ts'
import type { ReplyPart, ReplyReader } from './reply-reader.ts'
import type { ToolSyntax } from '../tools/tool-syntax.ts'

const MARKS = {
  start: '<|start|>',
  header: '<|channel|>',
  body: '<|message|>',
  end: '<|end|>',
  constrain: '<|constrain|>',
}

export const HARMONY_MARKS: readonly string[] = Object.values(MARKS)

export function isHarmony(templateSource: string): boolean {
  return templateSource.includes(MARKS.header) && templateSource.includes(MARKS.body)
}

/** How the reader below passes on calls, whatever the header looked like. */
export const HARMONY_SYNTAX: ToolSyntax = {
  begin: ['to=functions.'],
  middle: [MARKS.body],
  end: [],
  trigger: { texts: [], isOnlyFirst: false },
}

type Place = 'header' | 'thinking' | 'content' | 'call' | 'between'

export class HarmonyReader implements ReplyReader {
  readonly #tools: readonly string[]
  readonly #calls: Piece[] = []
  #place: Place = 'header'
  #header = ''
  #scanner = new MarkScanner([MARKS.body])

  constructor(tools: readonly string[]) {
    this.#tools = tools
  }

  get isThinking(): boolean {
    return this.#place !== 'content' && this.#place !== 'call'
  }

  get calls(): readonly Piece[] {
    return this.#calls
  }

  push(piece: Piece): ReplyPart[] {
    const { passed, found } = this.#scanner.push(piece)
    const parts = passed.flatMap((item) => this.#pass(item))
    if (found === undefined) return parts
    return [...parts, ...this.#cross(piece), ...found.rest.flatMap((item) => this.push(item))]
  }

  end(): Piece[] {
    const held = this.#scanner.flush()
    return this.#place === 'content' ? held : []
  }

  #pass(piece: Piece): ReplyPart[] {
    if (this.#place === 'header') this.#header += piece.raw.toString()
    if (this.#place === 'call') this.#calls.push(piece)
    return this.#place === 'content' ? [{ type: 'content', piece }] : []
  }

  #cross(piece: Piece): ReplyPart[] {
    switch (this.#place) {
      case 'header':
        return this.#openBody(piece)
      case 'between':
        this.#header = ''
        this.#enter('header', MARKS.body)
        return []
      case 'content':
      case 'call':
      case 'thinking': {
        const wasThinking = this.#place === 'thinking'
        this.#enter('between', MARKS.start)
        return wasThinking ? [{ type: 'thinking-ended' }] : []
      }
      default:
        return this.#place satisfies never
    }
  }

  #openBody(piece: Piece): ReplyPart[] {
    const called = /to=functions\.([\w.-]+)/.exec(this.#header)?.[1]
    if (called !== undefined && this.#tools.includes(called)) {
      const header = Buffer.from(`to=functions.${called}${MARKS.body}`)
      this.#calls.push({ ...piece, raw: header, visible: header })
      this.#enter('call', MARKS.end)
      return [{ type: 'calls-begun', pieces: [], tool: called }]
    }
    const channel = /<\|channel\|>(\w+)/.exec(this.#header)?.[1]
    this.#enter(channel === 'analysis' ? 'thinking' : 'content', MARKS.end)
    return []
  }

  #enter(place: Place, mark: string): void {
    this.#place = place
    this.#scanner = new MarkScanner([mark])
  }
}
