// Reads replies of families whose reply is a sequence of messages, each with a header that says whom it is for: the model itself (thinking),
// the user (content) or a tool (a call).

import type { Expression, GrammarRules } from '@hearth/json-schema-grammar'
import type { JobTool } from '@hearth/protocol'
import { isCutMark } from '../../formats/tool-calls.ts'
import type { ToolSyntax } from '../../formats/tool-syntax.ts'
import { MarkScanner, textOf, type Piece } from './marks.ts'
import type { ReplyPart, ReplyReader } from './reply-reader.ts'

export interface MessageDialect {
  /** Before a header. The prompt ends inside the first one. */
  start: string
  /** From a header to its message. */
  body: string
  /** After a message, if another one follows. */
  end: string
  /** Other control tokens that a reply needs. */
  others: readonly string[]
  syntax: ToolSyntax
  route(header: string, tools: readonly string[]): MessageRoute
  /** A grammar for a reply whose content is `json`, or calls of the tools. */
  answer(json: Expression, tools: readonly JobTool[], rules: GrammarRules): Expression
}

export type MessageRoute =
  | { section: 'thinking' | 'content' }
  /** `lead` stands before the message when calls are read. `tool` is set if the message is nothing but its arguments. */
  | { section: 'call'; lead: string; tool?: string }

export function marksOfDialect({ start, body, end, others }: MessageDialect): readonly string[] {
  return [start, body, end, ...others]
}

type Section = 'header' | 'thinking' | 'content' | 'call' | 'between'

export class MessageReader implements ReplyReader {
  readonly #dialect: MessageDialect
  readonly #tools: readonly string[]
  readonly #calls: Piece[] = []
  #section: Section = 'header'
  #header = ''
  #scanner: MarkScanner

  constructor(dialect: MessageDialect, tools: readonly string[]) {
    this.#dialect = dialect
    this.#tools = tools
    this.#scanner = new MarkScanner([dialect.body])
  }

  get isThinking(): boolean {
    return this.#section !== 'content' && this.#section !== 'call'
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

  end(isCut = false): Piece[] {
    const held = this.#scanner.flush()
    if (this.#section === 'call') this.#calls.push(...held)
    return this.#section === 'content' && !(isCut && isCutMark(textOf(held))) ? held : []
  }

  #pass(piece: Piece): ReplyPart[] {
    if (this.#section === 'header') this.#header += piece.raw.toString()
    if (this.#section === 'call') this.#calls.push(piece)
    return this.#section === 'content' ? [{ type: 'content', piece }] : []
  }

  #cross(piece: Piece): ReplyPart[] {
    switch (this.#section) {
      case 'header':
        return this.#openBody(piece)
      case 'between':
        this.#header = ''
        this.#enter('header', this.#dialect.body)
        return []
      case 'content':
      case 'call':
      case 'thinking': {
        const wasThinking = this.#section === 'thinking'
        this.#enter('between', this.#dialect.start)
        return wasThinking ? [{ type: 'thinking-ended' }] : []
      }
      default:
        return this.#section satisfies never
    }
  }

  #openBody(piece: Piece): ReplyPart[] {
    const route = this.#dialect.route(this.#header, this.#tools)
    this.#enter(route.section, this.#dialect.end)
    if (route.section !== 'call') return []
    const lead = Buffer.from(route.lead)
    if (lead.length > 0) this.#calls.push({ ...piece, raw: lead, visible: lead })
    return [{ type: 'calls-begun', pieces: [], ...(route.tool === undefined ? {} : { tool: route.tool }) }]
  }

  #enter(section: Section, mark: string): void {
    this.#section = section
    this.#scanner = new MarkScanner([mark])
  }
}
