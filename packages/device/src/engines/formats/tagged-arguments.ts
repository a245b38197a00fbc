// Reads arguments that are written one by one, each with its key, into a JSON object. Values keep their whitespace.

import { isObject, readProperties, type Schema } from '@hearth/json-schema-grammar'
import type { JobTool } from '@hearth/protocol'
import { toJsonValue, typesOf } from './argument-values.ts'
import type { CallText } from './call-text.ts'
import { readArgumentLiteral } from './literals.ts'
import { ITEM, KEY, beginsOf, type ArgumentTags, type ToolSyntax } from './tool-syntax.ts'

/** JSON text; undefined if something else comes where an argument should be. */
export function readTaggedArguments(
  text: CallText,
  syntax: ToolSyntax,
  tags: ArgumentTags,
  tool: JobTool,
): string | undefined {
  const reader = new ArgumentReader(text, syntax, tags)
  return reader.readAll(readProperties(tool.parameters ?? {}))
}

type Properties = ReadonlyMap<string, Schema>

class ArgumentReader {
  readonly #text: CallText
  readonly #syntax: ToolSyntax
  readonly #tags: ArgumentTags

  constructor(text: CallText, syntax: ToolSyntax, tags: ArgumentTags) {
    this.#text = text
    this.#syntax = syntax
    this.#tags = tags
  }

  readAll(properties: Properties): string | undefined {
    const values = new Map<string, string>()
    while (this.#hasArgument(values.size)) {
      const key = this.#text.readUntil(this.#tags.assign)?.trim()
      if (key === undefined || key.includes('\n')) return undefined
      const value = this.#tags.keyOpen === '' ? this.#readLiteral() : this.#readTagged(key, properties.get(key))
      if (value === undefined) return undefined
      values.set(key, value)
    }
    return toObject(values)
  }

  #hasArgument(count: number): boolean {
    const { keyOpen, glue } = this.#tags
    if (keyOpen !== '') return this.#isKey() && this.#text.take([keyOpen])
    return !this.#isEnd() && this.#text.rest.trim() !== '' && (count === 0 || this.#text.take([glue.trim()]))
  }

  /** The closing tags of some formats begin like their opening tags. */
  #isKey(): boolean {
    return !this.#isEnd() && this.#text.startsWith([this.#tags.keyOpen])
  }

  #isEnd(): boolean {
    const { end, between } = this.#syntax
    if (between !== undefined && this.#text.startsWith(between)) return true
    return end.length > 0 && this.#text.isAtEnd(end)
  }

  #readLiteral(): string | undefined {
    const literal = readArgumentLiteral(this.#text.text, this.#text.at, this.#tags.stringOpen)
    if (literal !== undefined) this.#text.at = literal.end
    return literal?.json
  }

  #readTagged(key: string, schema: Schema | undefined): string | undefined {
    const { stringOpen, stringClose, otherOpen = [], valueClose } = this.#tags
    const isText = stringOpen !== '' && this.#text.text.startsWith(stringOpen, this.#text.at)
    if (isText) this.#text.at += stringOpen.length
    else if (otherOpen.length > 0) this.#text.take(otherOpen)
    const nested = this.#tags.isNested === true ? this.#readNested(key, schema) : undefined
    if (nested !== undefined) return nested
    const raw = this.#readValue((isText ? stringClose : '') + valueClose.replace(KEY, key))
    // What the model itself calls text isn't a number or null, where both are possible.
    const isMeant = isText && (schema === undefined || typesOf(schema)?.has('string') === true)
    return raw === undefined ? undefined : toJsonValue(raw, isMeant ? { type: 'string' } : schema)
  }

  #readValue(close: string): string | undefined {
    const { wrapper } = this.#tags
    if (wrapper !== undefined && this.#text.text.startsWith(wrapper.open, this.#text.at)) {
      this.#text.at += wrapper.open.length
      const inside = this.#text.readUntil(wrapper.close)
      return this.#text.take([close]) ? inside : undefined
    }
    const end = this.#text.find(close, (to) => this.#mayFollow(to))
    if (end === undefined) return undefined
    const raw = this.#text.text.slice(this.#text.at, end.from)
    this.#text.at = end.to
    return raw
  }

  /** Whether a place behind a closing tag is followed by another argument, the end of the call or nothing. */
  #mayFollow(place: number): boolean {
    const before = this.#text.at
    this.#text.at = place
    const isRight =
      this.#text.rest.trim() === '' ||
      this.#isEnd() ||
      this.#text.startsWith([this.#tags.keyOpen]) ||
      beginsOf(this.#syntax).some((begin) => this.#text.startsWith(begin))
    this.#text.at = before
    return isRight
  }

  /** A list or an object, item by item; undefined (at the same place) if the value is neither. */
  #readNested(key: string, schema: Schema | undefined): string | undefined {
    const types = typesOf(schema)
    const before = this.#text.at
    if (types?.has('string') === true || !this.#text.startsWith([this.#tags.keyOpen])) return undefined
    const isList = this.#text.startsWith([`${this.#tags.keyOpen}${ITEM}${this.#tags.assign}`])
    const value = isList ? this.#readItems(key, schema) : this.#readMembers(key, schema)
    if (value === undefined) this.#text.at = before
    return value
  }

  #readItems(key: string, schema: Schema | undefined): string | undefined {
    const items: string[] = []
    const item = branches(schema).find((branch) => branch['items'] !== undefined)?.['items'] as Schema | undefined
    while (this.#text.take([`${this.#tags.keyOpen}${ITEM}${this.#tags.assign}`])) {
      const value = this.#readTagged(ITEM, item)
      if (value === undefined) return undefined
      items.push(value)
    }
    return this.#text.take([this.#tags.valueClose.replace(KEY, key)]) ? `[${items.join(',')}]` : undefined
  }

  #readMembers(key: string, schema: Schema | undefined): string | undefined {
    const close = [this.#tags.valueClose.replace(KEY, key)]
    const members = new Map<string, string>()
    const object = branches(schema).find((branch) => branch['properties'] !== undefined)
    const properties: Properties = object === undefined ? new Map() : readProperties(object)
    while (!this.#text.startsWith(close) && this.#text.take([this.#tags.keyOpen])) {
      const name = this.#text.readUntil(this.#tags.assign)
      const value = name === undefined ? undefined : this.#readTagged(name, properties.get(name))
      if (name === undefined || value === undefined) return undefined
      members.set(name, value)
    }
    return this.#text.take(close) ? toObject(members) : undefined
  }
}

function branches(schema: Schema | undefined): Record<string, unknown>[] {
  if (!isObject(schema)) return []
  const inner = [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? (list as Schema[]) : []))
  return [schema, ...inner.filter((branch) => isObject(branch))]
}

function toObject(values: ReadonlyMap<string, string>): string {
  return `{${[...values].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
}
