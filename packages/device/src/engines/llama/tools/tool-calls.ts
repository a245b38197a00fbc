// Parses tool calls in a reply. Lenient about whitespace, strict about everything else: text that isn't a call of one of the request's tools
// is content.

import { readProperties, type Schema } from '@hearth/json-schema-grammar'
import type { JobTool, ToolCall } from '@hearth/protocol'
import { isTaggedText } from './tool-grammar.ts'
import type { ArgumentTags, ToolSyntax, Wording } from './tool-syntax.ts'

export type ReadCall = Omit<ToolCall, 'id'>

/** Undefined if the text is anything other than complete calls. */
export function readCalls(text: string, syntax: ToolSyntax, tools: readonly JobTool[]): ReadCall[] | undefined {
  const reader = new CallReader(text, syntax, tools)
  return reader.read()
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export function newCallId(): string {
  return `call_${Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => LETTERS[byte % LETTERS.length]).join('')}`
}

class CallReader {
  readonly #text: string
  readonly #syntax: ToolSyntax
  readonly #tools: readonly JobTool[]
  #at = 0

  constructor(text: string, syntax: ToolSyntax, tools: readonly JobTool[]) {
    this.#text = text
    this.#syntax = syntax
    this.#tools = tools.toSorted((a, b) => b.name.length - a.name.length)
  }

  read(): ReadCall[] | undefined {
    const calls: ReadCall[] = []
    if (!this.#take(this.#syntax.begin)) return undefined
    do {
      const call = this.#readCall()
      if (call === undefined) return undefined
      calls.push(call)
    } while (this.#hasMore())
    const isComplete = this.#take(this.#syntax.end) && this.#text.slice(this.#at).trim() === ''
    return isComplete ? calls : undefined
  }

  #hasMore(): boolean {
    return this.#syntax.between !== undefined && this.#take(this.#syntax.between)
  }

  #readCall(): ReadCall | undefined {
    const tool = this.#tools.find(({ name }) => this.#text.startsWith(name, this.#at))
    if (tool === undefined) return undefined
    this.#at += tool.name.length
    if (!this.#take(this.#syntax.middle)) return undefined
    const { tags } = this.#syntax
    const args = tags === undefined ? this.#readJson() : this.#readTagged(tags, tool)
    return args === undefined || !args.trimStart().startsWith('{') ? undefined : { name: tool.name, arguments: args }
  }

  /** The text of the JSON value that begins here. */
  #readJson(): string | undefined {
    const end = endOfJson(this.#text, this.#at)
    if (end === undefined) return undefined
    const text = this.#text.slice(this.#at, end)
    this.#at = end
    return text
  }

  #readTagged(tags: ArgumentTags, tool: JobTool): string | undefined {
    const properties = readProperties(tool.parameters ?? {})
    const values: [string, unknown][] = []
    while (this.#hasArgument(tags, values.length)) {
      const key = this.#readUntil(tags.assign)
      if (key === undefined) return undefined
      const value = this.#readValue(tags, properties.get(key))
      if (value === undefined) return undefined
      values.push([key, value.value])
    }
    return JSON.stringify(Object.fromEntries(values))
  }

  #hasArgument(tags: ArgumentTags, count: number): boolean {
    if (tags.keyOpen !== '') return this.#take([tags.keyOpen])
    const isDone =
      this.#startsWith(this.#syntax.end) ||
      (this.#syntax.between !== undefined && this.#startsWith(this.#syntax.between))
    return !isDone && (count === 0 || this.#take([tags.glue]))
  }

  #readValue(tags: ArgumentTags, schema: Schema | undefined): { value: unknown } | undefined {
    if (!isTaggedText(schema)) {
      const json = this.#readJson()
      if (json !== undefined && this.#take([tags.valueClose])) return { value: JSON.parse(json) }
      return undefined
    }
    if (!this.#take([tags.stringOpen])) return undefined
    const text = this.#readUntil(tags.stringClose + tags.valueClose)
    return text === undefined ? undefined : { value: text }
  }

  #readUntil(mark: string): string | undefined {
    if (mark === '') return undefined
    const exact = this.#text.indexOf(mark, this.#at)
    const at = exact < 0 ? this.#text.indexOf(mark.trim(), this.#at) : exact
    if (at < 0) return undefined
    const text = this.#text.slice(this.#at, at)
    this.#at = at + (exact < 0 ? mark.trim().length : mark.length)
    return text
  }

  #startsWith(wording: Wording): boolean {
    const before = this.#at
    const isThere = this.#take(wording)
    this.#at = before
    return isThere
  }

  /** Skips the wording if it comes next; whitespace in it matches any whitespace. */
  #take(wording: Wording): boolean {
    const found = toPattern(wording).exec(this.#text.slice(this.#at))
    if (found === null) return false
    this.#at += found[0].length
    return true
  }
}

function toPattern(wording: Wording): RegExp {
  const parts = wording.map((part) => {
    if (typeof part !== 'string') return part.any === 'number' ? '\\d+' : '[\\w-]+'
    const text = part.replaceAll(/\s+/g, ' ')
    return text
      .split(' ')
      .map((word) => RegExp.escape(word))
      .join('\\s*')
  })
  return new RegExp(`^\\s*${parts.join('')}`)
}

/** The end of the JSON value that begins at `from`, after optional whitespace. */
function endOfJson(text: string, from: number): number | undefined {
  const simple = /\s*(?:-?\d[\d.eE+-]*|true|false|null)/y
  simple.lastIndex = from
  const end = simple.test(text) ? simple.lastIndex : endOfBrackets(text, from)
  return isJson(text.slice(from, end)) ? end : undefined
}

function endOfBrackets(text: string, from: number): number {
  let [depth, isString] = [0, false]
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
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
