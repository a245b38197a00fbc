// A grammar for tool calls: the model's own wording, the names of the request's tools, and arguments that are valid for their schemas.

import {
  addSchema,
  below,
  blank,
  characters,
  choice,
  Converter,
  EMPTY,
  type Expression,
  GrammarRules,
  isObject,
  isPlainString,
  oneOfTexts,
  optional,
  readNames,
  readProperties,
  repeat,
  type Schema,
  SchemaError,
  schemaToGrammar,
  sequence,
  stringContent,
  textUpTo,
} from '@hearth/json-schema-grammar'
import type { JobTool, JsonSchema } from '@hearth/protocol'
import type { ArgumentTags, ToolSyntax, Wording } from './tool-syntax.ts'

/** A weak model would keep calling until it runs out of tokens. */
const MAX_CALLS = 32

/** The schema of one tool can't be enforced. */
export class ToolSchemaError extends Error {
  override name = 'ToolSchemaError'
  readonly index: number

  constructor(index: number, reason: string) {
    super(reason)
    this.index = index
  }
}

/** Everything from the first call to the last. */
export function addCalls(syntax: ToolSyntax, tools: readonly JobTool[], rules: GrammarRules): Expression {
  const calls = tools.map((tool, index) => {
    try {
      return sequence(tool.name, wordingExpression(syntax.middle, rules), addArguments(syntax, tool, rules))
    } catch (error) {
      throw error instanceof SchemaError ? new ToolSchemaError(index, error.message) : error
    }
  })
  const call = rules.add('call', choice(...calls))
  const further =
    syntax.between === undefined
      ? EMPTY
      : repeat(rules.add('further-call', sequence(wordingExpression(syntax.between, rules), call)), 0, MAX_CALLS - 1)
  return sequence(wordingExpression(syntax.begin, rules), call, further, wordingExpression(syntax.end, rules))
}

/** Only the arguments of one tool, as JSON. */
export function argumentsGrammar(tool: JobTool): string {
  return schemaToGrammar(objectSchema(tool))
}

function objectSchema({ parameters = {} }: JobTool): JsonSchema {
  const { type = 'object' } = parameters
  if (type !== 'object') throw new SchemaError('#/type', 'parameters must be an object')
  return { ...parameters, type }
}

function addArguments({ tags }: ToolSyntax, tool: JobTool, rules: GrammarRules): Expression {
  const schema = objectSchema(tool)
  // Tagged arguments are checked as JSON too, so that a schema is accepted or rejected no matter how a model writes calls.
  if (tags === undefined) return addSchema(schema, rules)
  addSchema(schema, new GrammarRules())
  return taggedArguments(tags, schema, rules)
}

function wordingExpression(wording: Wording, rules: GrammarRules): Expression {
  return sequence(
    ...wording.map((part) => {
      if (typeof part === 'string') return textExpression(part, rules)
      return part.any === 'number'
        ? repeat(characters([0x30, 0x39]), 1, 3)
        : repeat(characters([0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]), 9, 9)
    }),
  )
}

// Models are careless about the space after a colon or comma.
function textExpression(text: string, rules: GrammarRules): Expression {
  return sequence(...text.split(/(?<=[,:]) /).flatMap((part, index) => (index === 0 ? [part] : [blank(rules), part])))
}

const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'minProperties'] as const

function taggedArguments(tags: ArgumentTags, schema: JsonSchema, rules: GrammarRules): Expression {
  for (const keyword of COMBINING)
    if (schema[keyword] !== undefined) throw new SchemaError('#', `"${keyword}" can't be enforced here on this model`)
  const converter = new Converter(schema, rules)
  const required = new Set(readNames(schema, 'required', '#'))
  const properties = readProperties(schema)
  const lacking = [...required].find((name) => !properties.has(name))
  if (lacking !== undefined) throw new SchemaError('#/required', `"${lacking}" is required but not in "properties"`)
  const members = [...properties].map(([name, property]) => {
    const value = taggedValue(tags, property, below('#', 'properties', name), converter)
    const written = sequence(tags.keyOpen, name, tags.assign, value, tags.valueClose)
    return { written: rules.add(`${name}-tag`, written), isRequired: required.has(name) }
  })
  return tags.glue === ''
    ? sequence(...members.map(({ written, isRequired }) => (isRequired ? written : optional(written))))
    : glued(members, tags.glue, rules)
}

/** The members in order, with `glue` between those that are present. */
function glued(
  members: readonly { written: Expression; isRequired: boolean }[],
  glue: string,
  rules: GrammarRules,
): Expression {
  let [begun, empty] = [EMPTY, EMPTY]
  for (const { written, isRequired } of members.toReversed()) {
    const [nextBegun, nextEmpty] = [begun, empty]
    const more = sequence(glue, written, nextBegun)
    const first = sequence(written, nextBegun)
    begun = rules.add('more', isRequired ? more : choice(more, nextBegun))
    empty = rules.add('first', isRequired ? first : choice(first, nextEmpty))
  }
  return empty
}

function taggedValue(tags: ArgumentTags, schema: Schema, path: string, converter: Converter): Expression {
  const { rules } = converter
  const texts = textValues(schema)
  const quoted = (inside: Expression) => sequence(tags.stringOpen, inside, tags.stringClose)
  if (texts !== undefined) return quoted(rules.add('texts', oneOfTexts(texts, rules)))
  if (!isText(schema)) return converter.convert(schema, path)
  if (!isPlainString(schema)) return quoted(stringContent(schema, path, rules))
  const mark = (tags.stringClose + tags.valueClose).trim()
  return quoted(rules.share(`until-${mark}`, () => textUpTo(mark, rules)))
}

function isText(schema: Schema): schema is JsonSchema {
  return (
    isObject(schema) && schema['type'] === 'string' && schema['enum'] === undefined && schema['const'] === undefined
  )
}

/** The values of an enum or const, if all of them are strings. */
function textValues(schema: Schema): readonly string[] | undefined {
  if (!isObject(schema)) return undefined
  const values: unknown[] = Array.isArray(schema['enum'])
    ? schema['enum']
    : schema['const'] === undefined
      ? []
      : [schema['const']]
  const texts = values.filter((value) => typeof value === 'string')
  return texts.length > 0 && texts.length === values.length ? texts : undefined
}

/** Whether a tagged value is plain text, not JSON. */
export function isTaggedText(schema: Schema | undefined): boolean {
  return schema !== undefined && (isText(schema) || textValues(schema) !== undefined)
}
