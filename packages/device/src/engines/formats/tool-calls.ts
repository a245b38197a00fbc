// Reads tool calls from a reply. Lenient about whitespace and about known slips of models, strict about everything else: text that isn't a
// call of one of the request's tools is content.

import type { JobTool, ToolCall } from '@hearth/protocol'
import { CallText } from './call-text.ts'
import { readTaggedArguments } from './tagged-arguments.ts'
import { NAME, beginsOf, type ToolSyntax, type Trigger } from './tool-syntax.ts'

export type ReadCall = Omit<ToolCall, 'id'>

/** Undefined if the text is anything other than complete calls. */
export function readCalls(text: string, syntax: ToolSyntax, tools: readonly JobTool[]): ReadCall[] | undefined {
  const reader = new CallReader(text, syntax, tools)
  return reader.read()
}

/** The calls of a reply that its token limit ended. */
export interface CutCalls {
  /** The complete ones. */
  calls: ReadCall[]
  /** Another one had begun. */
  isCut: boolean
}

/** Undefined if the text is anything other than calls, or the beginning of some. */
export function readCutCalls(text: string, syntax: ToolSyntax, tools: readonly JobTool[]): CutCalls | undefined {
  const reader = new CallReader(text, syntax, tools)
  return reader.readCut()
}

/** A cut reply may end with the beginning of a mark. Shorter ones are more likely to be text, such as `<` in a formula. */
export function isCutMark(text: string): boolean {
  return text.length > 2
}

/** Calls at the end of a text that begins with something else: a model may call while it still thinks. */
export function findCalls(text: string, syntax: ToolSyntax, tools: readonly JobTool[]): ReadCall[] | undefined {
  const starts = triggerTexts(syntax.triggers, tools).flatMap((trigger) => placesOf(trigger, text))
  for (const start of starts.toSorted((a, b) => a - b)) {
    const calls = readCalls(text.slice(start), syntax, tools)
    if (calls !== undefined) return calls
  }
  return undefined
}

function placesOf(mark: string, text: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) places.push(at)
  return places
}

export function triggerTexts(triggers: readonly Trigger[], tools: readonly JobTool[]): string[] {
  return triggers.flatMap(({ text }) =>
    text.includes(NAME) ? tools.map(({ name }) => text.replace(NAME, name)) : [text],
  )
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function newCallId(): string {
  return `call_${Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => LETTERS[byte % LETTERS.length]).join('')}`
}

class CallReader {
  readonly #text: CallText
  readonly #syntax: ToolSyntax
  readonly #tools: readonly JobTool[]

  constructor(text: string, syntax: ToolSyntax, tools: readonly JobTool[]) {
    this.#text = new CallText(text)
    this.#syntax = syntax
    this.#tools = tools.toSorted((a, b) => b.name.length - a.name.length)
  }

  read(): ReadCall[] | undefined {
    const calls: ReadCall[] = []
    if (!this.#text.takeAny(beginsOf(this.#syntax))) return undefined
    do {
      const call = this.#readCall()
      if (call === undefined) return undefined
      calls.push(call)
    } while (this.#hasMore())
    return this.#isOver() ? calls : undefined
  }

  readCut(): CutCalls | undefined {
    const calls: ReadCall[] = []
    const begins = beginsOf(this.#syntax)
    if (!this.#text.takeAny(begins))
      return begins.some((begin) => this.#text.isAtEnd(begin)) ? { calls, isCut: true } : undefined
    do {
      const mayBeCall = this.#isAtName()
      const call = this.#readCall()
      if (call === undefined || !this.#isClosed()) return mayBeCall ? { calls, isCut: true } : undefined
      calls.push(call)
    } while (this.#hasMore())
    return { calls, isCut: !this.#isOver() }
  }

  #isAtName(): boolean {
    const { rest } = this.#text
    return this.#tools.some(({ name }) => rest.startsWith(name) || name.startsWith(rest))
  }

  /** Arguments that are written one by one are complete when something other than another one follows. */
  #isClosed(): boolean {
    const { tags, between, end } = this.#syntax
    if (tags === undefined) return true
    const rest = this.#text.rest.trim()
    if (rest === '' || tags.keyOpen.trim().startsWith(rest)) return false
    return this.#text.isAtEnd(end) || (between !== undefined && this.#text.isAtEnd(between))
  }

  /** Another call follows the way the template writes it, or begins like the first one. */
  #hasMore(): boolean {
    const { between, end } = this.#syntax
    if (between !== undefined && this.#text.take(between)) return true
    const before = this.#text.at
    this.#text.take(end)
    if (this.#text.rest.trim() !== '' && this.#text.takeAny(beginsOf(this.#syntax))) return true
    this.#text.at = before
    return false
  }

  // The arguments are complete by now, so it does no harm if the closing text is cut off.
  #isOver(): boolean {
    const { end } = this.#syntax
    if (this.#text.take(end)) return this.#text.rest.trim() === ''
    return this.#text.rest.trim() === '' || this.#text.isAtEnd(end)
  }

  #readCall(): ReadCall | undefined {
    const tool = this.#tools.find(({ name }) => this.#text.text.startsWith(name, this.#text.at))
    if (tool === undefined) return undefined
    this.#text.at += tool.name.length
    const { tags, middle } = this.#syntax
    if (!this.#text.take(middle)) return undefined
    const args = tags === undefined ? this.#readJson() : readTaggedArguments(this.#text, this.#syntax, tags, tool)
    return args === undefined || !args.trimStart().startsWith('{') ? undefined : { name: tool.name, arguments: args }
  }

  /** The text of the JSON object that begins here. */
  #readJson(): string | undefined {
    const end = endOfJson(this.#text.text, this.#text.at)
    if (end === undefined) return undefined
    const text = this.#text.text.slice(this.#text.at, end)
    this.#text.at = end
    return text
  }
}

/** The end of the JSON object that begins at `from`, after optional whitespace. */
function endOfJson(text: string, from: number): number | undefined {
  const end = endOfBrackets(text, from)
  return isJson(text.slice(from, end)) ? end : undefined
}

function endOfBrackets(text: string, from: number): number {
  let [depth, isString] = [0, false]
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (isString && character === '\\') at++
    else if (character === '"') isString = !isString
    else if (!isString && (character === '{' || character === '[')) depth++
    else if (!isString && (character === '}' || character === ']')) depth--
    if (!isString && depth === 0 && /[}\]"]/.test(character)) return at + 1
  }
  return text.length
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
