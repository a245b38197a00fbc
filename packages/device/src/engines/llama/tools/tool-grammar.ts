// A grammar for tool calls: the model's own wording, the names of the request's tools, and arguments that are valid for their schemas.

import {
  addSchema,
  below,
  blank,
  characters,
  choice,
  Converter,
  EMPTY,
  enforceFurthest,
  type Expression,
  GrammarRules,
  isObject,
  isPlainString,
  literal,
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
  type WrittenGrammar,
} from '@hearth/json-schema-grammar'
import type { JobTool, JsonSchema } from '@hearth/protocol'
import { isTextOnly, typesOf } from '../../formats/argument-values.ts'
import { ITEM, KEY, beginsOf, type ArgumentTags, type ToolSyntax, type Wording } from '../../formats/tool-syntax.ts'

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
      return sequence(tool.name, wordingExpression(syntax.middle, rules), argumentsOf(syntax, tool, rules))
    } catch (error) {
      throw error instanceof SchemaError ? new ToolSchemaError(index, error.message) : error
    }
  })
  const call = rules.add('call', choice(...calls))
  const further =
    syntax.between === undefined
      ? EMPTY
      : repeat(rules.add('further-call', sequence(wordingExpression(syntax.between, rules), call)), 0, MAX_CALLS - 1)
  const begin = choice(...beginsOf(syntax).map((wording) => wordingExpression(wording, rules)))
  return sequence(begin, call, further, wordingExpression(syntax.end, rules))
}

/** Only the arguments of one tool, as JSON. */
export function argumentsGrammar(tool: JobTool): WrittenGrammar {
  return forSchema(tool, schemaToGrammar)
}

/** The same tool with arguments that are any object, unless they have to be exact. */
export function withFreeArguments(tool: JobTool): JobTool {
  return tool.strict === true ? tool : { ...tool, parameters: { type: 'object' } }
}

// A tool that isn't strict is offered anyway: its schema is a hint to the model first, and a promise only as far as it can be kept.
function forSchema<Result>(tool: JobTool, make: (schema: JsonSchema) => Result): Result {
  return tool.strict === true
    ? make(objectSchema(tool))
    : enforceFurthest(tool.parameters ?? {}, (parameters) => make(objectSchema({ ...tool, parameters })))
}

function objectSchema({ parameters = {} }: JobTool): JsonSchema {
  const { type = 'object' } = parameters
  if (type !== 'object') throw new SchemaError('#/type', 'parameters must be an object')
  return { ...parameters, type }
}

function argumentsOf(syntax: ToolSyntax, tool: JobTool, rules: GrammarRules): Expression {
  return forSchema(tool, (schema) => addArguments(syntax, schema, rules))
}

function addArguments({ tags }: ToolSyntax, schema: JsonSchema, rules: GrammarRules): Expression {
  // Tagged arguments are checked as JSON too, so that a schema is accepted or rejected no matter how a model writes calls.
  if (tags === undefined) return addSchema(schema, rules)
  addSchema(schema, new GrammarRules())
  return taggedArguments(tags, schema, rules)
}

function wordingExpression(wording: Wording, rules: GrammarRules): Expression {
  return sequence(
    ...wording.map((part) => {
      if (typeof part === 'string') return textExpression(part, rules)
      return placeExpression(part.any)
    }),
  )
}

function placeExpression(any: 'id' | 'number' | 'word'): Expression {
  if (any === 'number') return repeat(characters([0x30, 0x39]), 1, 3)
  if (any === 'word') return repeat(characters([0x61, 0x7a]), 1, 12)
  return repeat(characters([0x30, 0x39], [0x41, 0x5a], [0x61, 0x7a]), 9, 9)
}

// Models are careless about the space after a colon or comma.
function textExpression(text: string, rules: GrammarRules): Expression {
  return sequence(...text.split(/(?<=[,:]) /).flatMap((part, index) => (index === 0 ? [part] : [blank(rules), part])))
}

/** Tagged arguments are written one by one, so nothing can depend on more than one of them. */
const COMBINING = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'enum',
  'const',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
] as const

function taggedArguments(tags: ArgumentTags, schema: JsonSchema, rules: GrammarRules): Expression {
  for (const keyword of COMBINING)
    if (schema[keyword] !== undefined)
      throw new SchemaError('#', `"${keyword}" can't be enforced here on this model`, keyword)
  const converter = new Converter(schema, rules)
  const required = new Set(readNames(schema, 'required', '#'))
  const properties = readProperties(schema)
  const lacking = [...required].find((name) => !properties.has(name))
  if (lacking !== undefined) throw new SchemaError('#/required', `"${lacking}" is required but not in "properties"`)
  const members = [...properties].map(([name, property]) => {
    const written = taggedMember(tags, name, property, below('#', 'properties', name), converter)
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

function taggedMember(
  tags: ArgumentTags,
  name: string,
  schema: Schema,
  path: string,
  converter: Converter,
): Expression {
  const value = taggedValue(tags, schema, path, converter)
  return sequence(tags.keyOpen, name, tags.assign, value, tags.valueClose.replace(KEY, name))
}

function taggedValue(tags: ArgumentTags, schema: Schema, path: string, converter: Converter): Expression {
  const { rules } = converter
  const texts = textValues(schema)
  const quoted = (inside: Expression) => sequence(tags.stringOpen, inside, tags.stringClose)
  if (texts !== undefined) return quoted(rules.add('texts', oneOfTexts(texts, rules)))
  if (!isText(schema)) return otherValue(tags, schema, path, converter)
  const isProgram = tags.keyOpen === '' && /^["']$/.test(tags.stringOpen)
  // A string in JSON can contain every character, which one in a family's own quotes may not.
  if (isProgram) return choice(converter.convert(schema, path), ...plainQuotes(tags, schema, rules))
  if (!isPlainString(schema)) return quoted(stringContent(schema, path, rules))
  return quoted(plainText(tags, rules))
}

function plainQuotes(tags: ArgumentTags, schema: Schema, rules: GrammarRules): Expression[] {
  if (tags.stringOpen !== "'" || !isObject(schema) || !isPlainString(schema)) return []
  return [sequence("'", plainText(tags, rules), "'")]
}

/** Text up to the closing tag, or wrapped if it contains that tag. */
function plainText({ stringClose, valueClose, wrapper }: ArgumentTags, rules: GrammarRules): Expression {
  const [close = ''] = (stringClose + valueClose).split(KEY)
  const mark = close.trim()
  const text = rules.share(`until-${mark}`, () => textUpTo(mark, rules))
  if (wrapper === undefined) return text
  return choice(text, sequence(wrapper.open, textUpTo(wrapper.close, rules), wrapper.close))
}

const CONSTANTS = { boolean: ['True', 'False'], null: ['None'] } as const

function otherValue(tags: ArgumentTags, schema: Schema, path: string, converter: Converter): Expression {
  const { rules } = converter
  const json = converter.convert(schema, path)
  const open = wordingExpression(tags.otherOpen ?? [], rules)
  const [type, ...more] = typesOf(schema) ?? []
  if (tags.keyOpen === '' && more.length === 0 && (type === 'boolean' || type === 'null') && isBare(schema))
    return choice(json, ...CONSTANTS[type].map(literal))
  const nested = tags.isNested === true ? nestedValue(tags, schema, path, converter) : undefined
  return nested ?? sequence(open, json)
}

function isBare(schema: Schema): boolean {
  return isObject(schema) && schema['enum'] === undefined && schema['const'] === undefined
}

/** Lists and objects with tags inside. Those with rules that need counting or combining stay JSON, which the reader takes too. */
function nestedValue(tags: ArgumentTags, schema: Schema, path: string, converter: Converter): Expression | undefined {
  if (!isObject(schema) || Object.keys(schema).some((keyword) => !NESTED.includes(keyword))) return undefined
  const { rules } = converter
  if (schema['type'] === 'array') {
    const items = schema['items']
    if (!isObject(items)) return undefined
    const item = rules.add('item-tag', taggedMember(tags, ITEM, items, below(path, 'items'), converter))
    return repeat(item, 0)
  }
  const required = new Set(readNames(schema, 'required', path))
  const properties = readProperties(schema)
  if (schema['type'] !== 'object' || [...required].some((name) => !properties.has(name))) return undefined
  return sequence(
    ...[...properties].map(([name, property]) => {
      const inner = below(path, 'properties', name)
      const written = rules.add(`${name}-tag`, taggedMember(tags, name, property, inner, converter))
      return required.has(name) ? written : optional(written)
    }),
  )
}

const NESTED = ['type', 'properties', 'required', 'items', 'description', 'title', 'default', 'additionalProperties']

function isText(schema: Schema): schema is JsonSchema {
  return isTextOnly(schema) && isBare(schema)
}

/** The values of an enum or const, if all of them are strings. */
function textValues(schema: Schema): readonly string[] | undefined {
  if (!isObject(schema) || isBare(schema) || !isTextOnly(schema)) return undefined
  const values: unknown = schema['enum'] ?? [schema['const']]
  return values as readonly string[]
}
