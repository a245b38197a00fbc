// The grammars of a job. A response format applies from the first token on, with room for thinking before it. The model decides whether to
// call tools, so their grammar starts only with the text that begins a call.

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
} from '@hearth/json-schema-grammar'
import type { ChatJob, ResponseFormat } from '@hearth/protocol'
import { EngineError } from '../../engine.ts'
import type { Grammar, Native } from '../native/native.ts'
import type { MessageDialect } from '../reply/message-reader.ts'
import type { Prompt } from './prompt.ts'
import { ToolSchemaError, addCalls, argumentsGrammar, withFreeArguments } from '../tools/tool-grammar.ts'

const KEPT_GRAMMARS = 32

export interface Constraints {
  /** For the whole reply. */
  answer?: Grammar
  /** For calls, after `lead`: the text that the first token of the calls begins with. */
  calls(lead: string): Promise<Grammar>
  /** For the arguments of one tool, as JSON. */
  argumentsOf(tool: string): Promise<Grammar>
}

export class GrammarCache {
  readonly #native: Pick<Native, 'compileGrammar'>
  readonly #kept = new Map<string, Promise<Grammar>>()

  constructor(native: Pick<Native, 'compileGrammar'>) {
    this.#native = native
  }

  async compile(text: string): Promise<Grammar> {
    const compiled = this.#kept.get(text) ?? this.#native.compileGrammar(text)
    // Moves it to the end, because the least recently used grammar is dropped first.
    this.#kept.delete(text)
    this.#kept.set(text, compiled)
    if (this.#kept.size > KEPT_GRAMMARS) this.#kept.delete(this.#kept.keys().next().value!)
    try {
      return await compiled
    } catch (error) {
      this.#kept.delete(text)
      throw new GrammarTooLarge("llama.cpp can't read its grammar", { cause: error })
    }
  }
}

/** Throws EngineError if a schema can't be enforced, before anything is generated. */
export async function prepareConstraints(
  job: ChatJob,
  prompt: Prompt,
  dialect: MessageDialect | undefined,
  cache: GrammarCache,
): Promise<Constraints> {
  // Compiled before it is needed, so that a tool that can't be called is rejected before anything is generated.
  const callable = prompt.tools.length === 0 ? prompt : await blaming('tools', job, () => toCallable(prompt, cache))
  const constraints: Constraints = {
    calls: (lead) => cache.compile(callsGrammar(callable, lead)),
    argumentsOf: (name) => cache.compile(argumentsGrammar(callable.tools.find((tool) => tool.name === name)!)),
  }
  const { responseFormat } = job
  if (responseFormat === undefined) return constraints
  return {
    ...constraints,
    answer: await blaming('format', job, () => cache.compile(answerGrammar(responseFormat, callable, dialect))),
  }
}

/** If the schemas of all tools together are too much, those that aren't strict aren't enforced. */
async function toCallable(prompt: Prompt, cache: GrammarCache): Promise<Prompt> {
  const free = { ...prompt, tools: prompt.tools.map(withFreeArguments) }
  try {
    await cache.compile(callsGrammar(prompt, ''))
    return prompt
  } catch (error) {
    if (!(error instanceof GrammarTooLarge)) throw error
    await cache.compile(callsGrammar(free, ''))
    return free
  }
}

function callsGrammar(prompt: Prompt, lead: string): string {
  const rules = new GrammarRules()
  return rules.print(sequence(lead, addCalls(prompt.syntax, prompt.tools, rules)))
}

function answerGrammar(format: ResponseFormat, prompt: Prompt, dialect: MessageDialect | undefined): string {
  const rules = new GrammarRules()
  const json = addSchema(format.type === 'json_object' ? { type: 'object' } : format.schema, rules)
  if (dialect !== undefined) return rules.print(dialect.answer(json, prompt.tools, rules))
  const answer = prompt.tools.length === 0 ? json : choice(json, addCalls(prompt.syntax, prompt.tools, rules))
  return rules.print(sequence(thinkingBefore(prompt, rules), answer))
}

function thinkingBefore({ marks: { thinking } }: Prompt, rules: GrammarRules): Expression {
  if (thinking === undefined) return EMPTY
  const space = repeat(characters(' \n'), 0, 3)
  const rest = sequence(textUpTo(thinking.end, rules), thinking.end, space)
  if (thinking.isOpen) return rest
  return thinking.mayBegin ? optional(sequence(thinking.begin, rest)) : EMPTY
}

async function blaming<Result>(part: 'tools' | 'format', job: ChatJob, make: () => Promise<Result>): Promise<Result> {
  try {
    return await make()
  } catch (error) {
    throw part === 'tools' ? toToolRefusal(job, error) : toFormatRefusal(job, error)
  }
}

function toToolRefusal(job: ChatJob, error: unknown): unknown {
  if (error instanceof GrammarTooLarge)
    return new EngineError('invalid_function_parameters', `Invalid tools: ${error.message}`, { param: 'tools' })
  if (!(error instanceof ToolSchemaError)) return error
  const name = job.tools?.[error.index]?.name ?? ''
  const message = `Invalid schema for function '${name}': ${error.message}`
  return new EngineError('invalid_function_parameters', message, { param: `tools[${error.index}].function.parameters` })
}

function toFormatRefusal({ responseFormat }: ChatJob, error: unknown): unknown {
  if (!(error instanceof SchemaError || error instanceof GrammarTooLarge)) return error
  const name = responseFormat?.type === 'json_schema' ? responseFormat.name : 'json_object'
  const message = `Invalid schema for response_format '${name}': ${error.message}`
  return new EngineError('invalid_json_schema', message, { param: 'response_format' })
}
