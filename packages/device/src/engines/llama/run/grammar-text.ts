// Writes the grammars of a job. A response format applies from the first token on, with room for thinking before it. The model decides
// whether to call tools, so their grammar starts only with the text that begins a call. A request is plain data, because another thread
// writes its grammar.

import {
  addSchema,
  characters,
  choice,
  EMPTY,
  type Expression,
  GrammarRules,
  GrammarTooLarge,
  optional,
  repeat,
  SchemaError,
  sequence,
  textUpTo,
  type WrittenGrammar,
} from '@hearth/json-schema-grammar'
import type { JobTool, JsonSchema, ResponseFormat } from '@hearth/protocol'
import type { ToolSyntax } from '../../formats/tool-syntax.ts'
import { findDialect } from '../families/families.ts'
import { ToolSchemaError, addCalls, argumentsGrammar } from '../tools/tool-grammar.ts'
import type { ReplyMarks } from '../reply/reply-reader.ts'

export type GrammarRequest =
  /** After `lead`: the text that the first token of the calls begins with. */
  | { part: 'calls'; syntax: ToolSyntax; tools: readonly JobTool[]; lead: string }
  | { part: 'arguments'; tool: JobTool }
  | {
      part: 'answer'
      format: ResponseFormat
      syntax: ToolSyntax
      tools: readonly JobTool[]
      thinking: ReplyMarks['thinking']
      /** The family whose replies consist of messages. */
      dialect: string | undefined
    }

/** A grammar that can't be written, and why. */
export interface GrammarRejection {
  message: string
  isTooLarge: boolean
  /** The index of the tool whose schema is to blame. */
  tool: number | undefined
}

export class GrammarRejected extends Error implements GrammarRejection {
  override name = 'GrammarRejected'
  readonly isTooLarge: boolean
  readonly tool: number | undefined

  constructor({ message, isTooLarge, tool }: GrammarRejection, options?: ErrorOptions) {
    super(message, options)
    this.isTooLarge = isTooLarge
    this.tool = tool
  }
}

/** Throws GrammarRejected. */
export function writeGrammar(request: GrammarRequest): WrittenGrammar {
  try {
    return write(request)
  } catch (error) {
    throw toRejected(error)
  }
}

function toRejected(error: unknown): unknown {
  const isExpected =
    error instanceof SchemaError || error instanceof GrammarTooLarge || error instanceof ToolSchemaError
  if (!isExpected) return error
  const tool = error instanceof ToolSchemaError ? error.index : undefined
  return new GrammarRejected({ message: error.message, isTooLarge: error instanceof GrammarTooLarge, tool })
}

function write(request: GrammarRequest): WrittenGrammar {
  switch (request.part) {
    case 'calls': {
      const rules = new GrammarRules()
      return rules.write(sequence(request.lead, addCalls(request.syntax, request.tools, rules)))
    }
    case 'arguments':
      return argumentsGrammar(request.tool)
    case 'answer':
      return answerGrammar(request)
    default:
      return request satisfies never
  }
}

function answerGrammar(request: Extract<GrammarRequest, { part: 'answer' }>): WrittenGrammar {
  const { format, syntax, tools, thinking, dialect } = request
  const rules = new GrammarRules()
  const schema: JsonSchema = format.type === 'json_object' ? { type: 'object' } : format.schema
  const json = addSchema(schema, rules)
  if (dialect !== undefined) return rules.write(findDialect(dialect).answer(json, tools, rules))
  const answer = tools.length === 0 ? json : choice(json, addCalls(syntax, tools, rules))
  return rules.write(sequence(thinkingBefore(thinking, rules), answer))
}

function thinkingBefore(thinking: ReplyMarks['thinking'], rules: GrammarRules): Expression {
  if (thinking === undefined) return EMPTY
  const space = repeat(characters(' \n'), 0, 3)
  const rest = sequence(textUpTo(thinking.end, rules), thinking.end, space)
  if (thinking.isOpen) return rest
  return thinking.mayBegin ? optional(sequence(thinking.begin, rest)) : EMPTY
}
