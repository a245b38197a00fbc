// A grammar for tool calls: the model's own wording, the names of the request's tools, and arguments that are valid for their schemas.

import {
  addSchema,
  choice,
  EMPTY,
  enforceFurthest,
  type Expression,
  GrammarRules,
  repeat,
  SchemaError,
  schemaToGrammar,
  sequence,
  type WrittenGrammar,
  below,
  Converter,
  optional,
  readNames,
  readProperties,
} from '@hearth/json-schema-grammar'
import type { JobTool, JsonSchema } from '@hearth/protocol'
import { beginsOf, type ToolSyntax, type ArgumentTags } from '../../formats/tool-syntax.ts'
import { wordingExpression } from './wording-grammar.ts'
import { glued } from './glued.ts'
import { taggedMember } from './tagged-value.ts'

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
