// Reads one chunk of a stream, or a whole completion, from a local server. It is lenient: old and new shapes, nulls instead of strings.
// Anything it doesn't understand counts as absent; nothing here throws.

import { MAX_TOKEN_BYTES, MAX_TOKEN_LENGTH, MAX_TOP_LOGPROBS, type TokenLogprob, type Usage } from '@hearth/protocol'
import { asFields, asList, count, text, type Fields } from '@hearth/sealing/fields'

export interface Chunk {
  choices: ChunkChoice[]
  usage: Usage | undefined
  /** Prompt tokens processed so far, if the server reports them. */
  progress: { done: number; total: number } | undefined
  /** The server failed; see server-error.ts. */
  error?: unknown
}

export interface ChunkChoice {
  index: number
  text: string
  /** Thinking that the server already separates from the text. */
  reasoning: string
  logprobs: TokenLogprob[]
  calls: CallPart[]
  finish: string | undefined
}

/** A tool call, or the next part of its arguments. */
export interface CallPart {
  index: number
  id?: string | undefined
  name?: string | undefined
  arguments: string
}

export function readChunk(value: unknown): Chunk {
  const fields = asFields(value)
  return {
    choices: asList(fields['choices']).map(readChoice),
    usage: readUsage(fields['usage']) ?? readTimings(fields['timings']),
    progress: readProgress(fields['prompt_progress']),
    error: fields['error'] ?? undefined,
  }
}

function readChoice(value: unknown): ChunkChoice {
  const choice = asFields(value)
  const message = asFields(choice['delta'] ?? choice['message'])
  return {
    index: count(choice, 'index') ?? 0,
    text: readContent(message['content']),
    reasoning: text(message, 'reasoning_content') || text(message, 'reasoning') || text(message, 'thinking') || '',
    logprobs: asList(asFields(choice['logprobs'])['content']).map(readLogprob),
    calls: readCalls(message),
    finish: text(choice, 'finish_reason') || undefined,
  }
}

function readContent(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map((part) => text(asFields(part), 'text') ?? '')
    .join('')
}

function readCalls(message: Fields): CallPart[] {
  const calls = asList(message['tool_calls']).map((value, position) => {
    const call = asFields(value)
    return readCall(count(call, 'index') ?? position, text(call, 'id'), asFields(call['function']))
  })
  const legacy = asFields(message['function_call'])
  const isLegacy = calls.length === 0 && (text(legacy, 'name') || text(legacy, 'arguments'))
  return isLegacy ? [readCall(0, undefined, legacy)] : calls
}

function readCall(index: number, id: string | undefined, called: Fields): CallPart {
  const given = called['arguments']
  return {
    index,
    id: id || undefined,
    name: text(called, 'name') || undefined,
    // Some servers send the arguments as an object instead of a JSON string.
    arguments: typeof given === 'object' && given !== null ? JSON.stringify(given) : (text(called, 'arguments') ?? ''),
  }
}

function readLogprob(value: unknown): TokenLogprob {
  const top = asList(asFields(value)['top_logprobs']).slice(0, MAX_TOP_LOGPROBS).map(readToken)
  return { ...readToken(value), top }
}

function readToken(value: unknown): Omit<TokenLogprob, 'top'> {
  const fields = asFields(value)
  const token = (text(fields, 'token') ?? '').slice(0, MAX_TOKEN_LENGTH)
  const bytes = asList(fields['bytes']).filter((byte) => typeof byte === 'number')
  const logprob = fields['logprob']
  return {
    token,
    // JSON has no minus infinity; the reference API uses -9999 for an impossible token.
    logprob: typeof logprob === 'number' ? Math.max(-9999, logprob) : -9999,
    // The gateway disconnects a device that sends more.
    bytes: (bytes.length > 0 ? bytes : [...Buffer.from(token)]).slice(0, MAX_TOKEN_BYTES),
  }
}

function readUsage(value: unknown): Usage | undefined {
  const fields = asFields(value)
  const promptTokens = count(fields, 'prompt_tokens')
  if (promptTokens === undefined) return undefined
  const cachedTokens = count(asFields(fields['prompt_tokens_details']), 'cached_tokens')
  const reasoningTokens = count(asFields(fields['completion_tokens_details']), 'reasoning_tokens')
  return {
    promptTokens,
    completionTokens: count(fields, 'completion_tokens') ?? 0,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}

// On request, llama-server reports counts with every chunk: prompt tokens from its cache, prompt tokens computed, and tokens generated.
function readTimings(value: unknown): Usage | undefined {
  const fields = asFields(value)
  const computed = count(fields, 'prompt_n')
  const completionTokens = count(fields, 'predicted_n')
  if (computed === undefined || completionTokens === undefined) return undefined
  const cachedTokens = count(fields, 'cache_n') ?? 0
  return { promptTokens: cachedTokens + computed, completionTokens, cachedTokens }
}

function readProgress(value: unknown): { done: number; total: number } | undefined {
  const fields = asFields(value)
  const total = count(fields, 'total')
  const done = count(fields, 'processed')
  return total === undefined || done === undefined ? undefined : { done, total }
}
