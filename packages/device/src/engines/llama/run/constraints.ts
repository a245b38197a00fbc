// The grammars of a job, compiled before anything is generated, or rejected with an error for the person who wrote the schema.

import type { ChatJob, ResponseFormat } from '@hearth/protocol'
import { EngineError } from '../../engine.ts'
import { nameDialect } from '../families/families.ts'
import { compileWritten } from '../native/distinct-items.ts'
import type { Grammar, Native } from '../native/native.ts'
import type { MessageDialect } from '../reply/message-reader.ts'
import { withFreeArguments } from '../tools/tool-grammar.ts'
import { GrammarRejected, type GrammarRequest } from './grammar-text.ts'
import { createGrammarThread, type WriteGrammar } from './grammar-thread.ts'
import type { Prompt } from './prompt.ts'

const KEPT_GRAMMARS = 32

export interface Constraints {
  /** For the whole reply. */
  answer?: Grammar
  /** For calls, after `lead`: the text that the first token of the calls begins with. */
  calls(lead: string): Promise<Grammar>
  /** For the arguments of one tool, as JSON. Undefined if there is no such tool. */
  argumentsOf(tool: string): Promise<Grammar | undefined>
}

export class GrammarCache {
  readonly #native: Pick<Native, 'compileGrammar' | 'vocabulary'>
  readonly #write: WriteGrammar
  readonly #kept = new Map<string, Promise<Grammar>>()

  constructor(native: Pick<Native, 'compileGrammar' | 'vocabulary'>, write: WriteGrammar = createGrammarThread()) {
    this.#native = native
    this.#write = write
  }

  /** Throws GrammarRejected. */
  async make(request: GrammarRequest): Promise<Grammar> {
    const key = JSON.stringify(request)
    const made = this.#kept.get(key) ?? this.#compile(key)
    // Moves it to the end, because the least recently used grammar is dropped first.
    this.#kept.delete(key)
    this.#kept.set(key, made)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT_GRAMMARS && oldest !== undefined) this.#kept.delete(oldest)
    try {
      return await made
    } catch (error) {
      this.#kept.delete(key)
      throw error
    }
  }

  async #compile(request: string): Promise<Grammar> {
    const written = await this.#write(request)
    try {
      return await compileWritten(this.#native, written)
    } catch (cause) {
      throw new GrammarRejected(
        { message: "llama.cpp can't read its grammar", isTooLarge: true, tool: undefined },
        { cause },
      )
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
    calls: (lead) => cache.make(callsOf(callable, lead)),
    argumentsOf: async (name) => {
      const tool = callable.tools.find((other) => other.name === name)
      return tool && cache.make({ part: 'arguments', tool })
    },
  }
  const { responseFormat } = job
  if (responseFormat === undefined) return constraints
  const request = answerOf(responseFormat, callable, dialect)
  return { ...constraints, answer: await blaming('format', job, () => cache.make(request)) }
}

/** If the schemas of all tools together are too much, those that aren't strict aren't enforced. */
async function toCallable(prompt: Prompt, cache: GrammarCache): Promise<Prompt> {
  const free = { ...prompt, tools: prompt.tools.map(withFreeArguments) }
  try {
    await cache.make(callsOf(prompt, ''))
    return prompt
  } catch (error) {
    if (!(error instanceof GrammarRejected) || !error.isTooLarge) throw error
    await cache.make(callsOf(free, ''))
    return free
  }
}

function callsOf({ syntax, tools }: Prompt, lead: string): GrammarRequest {
  return { part: 'calls', syntax, tools, lead }
}

function answerOf(
  format: ResponseFormat,
  { syntax, tools, marks: { thinking } }: Prompt,
  dialect: MessageDialect | undefined,
): GrammarRequest {
  return { part: 'answer', format, syntax, tools, thinking, dialect: dialect && nameDialect(dialect) }
}

async function blaming<Result>(part: 'tools' | 'format', job: ChatJob, make: () => Promise<Result>): Promise<Result> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof GrammarRejected)) throw error
    throw part === 'tools' ? toToolRejection(job, error) : toFormatRejection(job, error)
  }
}

function toToolRejection(job: ChatJob, { message, tool }: GrammarRejected): EngineError {
  const code = 'invalid_function_parameters'
  if (tool === undefined) return new EngineError(code, `Invalid tools: ${message}`, { param: 'tools' })
  const name = job.tools?.[tool]?.name ?? ''
  return new EngineError(code, `Invalid schema for function '${name}': ${message}`, {
    param: `tools[${tool}].function.parameters`,
  })
}

function toFormatRejection({ responseFormat }: ChatJob, { message }: GrammarRejected): EngineError {
  const name = responseFormat?.type === 'json_schema' ? responseFormat.name : 'json_object'
  const text = `Invalid schema for response_format '${name}': ${message}`
  return new EngineError('invalid_json_schema', text, { param: 'response_format' })
}
