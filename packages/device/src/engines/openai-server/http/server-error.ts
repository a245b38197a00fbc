// Decides what an error from a local server means for the job. The server's message is read but never passed on: it may quote the prompt.

import type { ChatJob } from '@hearth/protocol'
import { asFields, text } from '@hearth/sealing/fields'
import { EngineError } from '../../engine.ts'
import { tooLong } from '../../too-long.ts'
import { isKeyRefused, KeyError, parseJson } from './http-call.ts'

// Ollama, llama-server: "exceeds the available context size"; vLLM: "maximum context length"; LM Studio: "context length of only …",
// "context overflow"; others: "context window", "prompt is too long".
const TOO_LONG =
  /context[ _](length|size|window|overflow)|exceed_context|maximum context|prompt is too long|too many tokens|input length exceeds/i
// vLLM: "max_tokens=1000000 cannot be greater than max_model_len", "'max_tokens' or 'max_completion_tokens' is too large".
const LIMIT_TOO_LARGE = /max_(completion_)?tokens\b.{0,60}?(is too large|cannot be greater)|in the completion\)/i
const SCHEMA = /schema|grammar|response_format|structured|guided/i
const BIAS = /logit.?bias|vocab|token.?id/i
const TOOLS = /tool|function|template|jinja/i

export interface ServerFailure {
  error: EngineError
  /** The prompt fits, but not together with the max tokens of the request. */
  isLimitTooLarge: boolean
  /** The server doesn't have the model any more, or wants another key: the next job would fail the same way. */
  isModelRefused: boolean
  /** The list of models may be out of date. */
  shouldLookAgain: boolean
}

export function readFailure(status: number, body: unknown, job: ChatJob, contextLength: number): ServerFailure {
  const words = collectWords(body)
  const isLimitTooLarge = job.maxTokens !== undefined && LIMIT_TOO_LARGE.test(words)
  return {
    error: TOO_LONG.test(words) ? tooLong(contextLength) : toError(status, words, job),
    isLimitTooLarge,
    isModelRefused: status === 404 || isKeyRefused(status),
    shouldLookAgain: status >= 500,
  }
}

export function isTooLong(body: unknown): boolean {
  return TOO_LONG.test(collectWords(body))
}

function toError(status: number, words: string, job: ChatJob): EngineError {
  if (isKeyRefused(status)) return new KeyError()
  const isRejected = status === 400 || status === 422
  if (isRejected && job.responseFormat?.type === 'json_schema' && SCHEMA.test(words))
    return new EngineError('invalid_json_schema', "The device's server can't enforce this schema", {
      param: 'response_format',
    })
  if (isRejected && job.tools !== undefined && SCHEMA.test(words) && TOOLS.test(words))
    return new EngineError('invalid_function_parameters', "The device's server can't use these parameters", {
      param: 'tools',
    })
  if (isRejected && job.logitBias !== undefined && BIAS.test(words))
    return new EngineError('invalid_value', "The model doesn't have all tokens in 'logit_bias'", {
      param: 'logit_bias',
    })
  // Another device may have the model, and a busy or broken server may recover.
  const retryable = status >= 500 || [404, 408, 409, 425, 429].includes(status)
  return new EngineError('failed', `The local server returned ${status === 0 ? 'an error' : `status ${status}`}`, {
    retryable,
  })
}

/** Collects all text of the error, through the layers that servers wrap errors in: nested objects, JSON in strings. */
function collectWords(value: unknown, depth = 0): string {
  if (depth > 8) return ''
  if (typeof value === 'string') {
    const inner = value.trimStart().startsWith('{') ? parseJson(value) : undefined
    return inner === undefined ? value : collectWords(inner, depth + 1)
  }
  const fields = asFields(value)
  const { error, message, detail } = fields
  const nested = [error, message, detail].map((part) => collectWords(part, depth + 1))
  return [...nested, text(fields, 'type'), text(fields, 'code')].filter(Boolean).join(' ')
}
