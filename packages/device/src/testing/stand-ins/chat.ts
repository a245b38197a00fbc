// How the stand-in server answers a chat request with its quirks: from the request body to the chunks it sends.

import type { JsonSchema } from '@hearth/protocol'
import { answerTo, sampleOf, tokenise, weatherCalls, type Answer, type StandInMessage } from './model.ts'
import type { Quirks } from './quirks.ts'

type Fields = Record<string, unknown>

/** The fields a client may send; others are ignored, as on real servers. */
export interface ChatBody {
  model: string
  messages: StandInMessage[]
  stream?: boolean
  stream_options?: { include_usage?: boolean; continuous_usage_stats?: boolean }
  temperature?: number
  max_tokens?: number
  max_completion_tokens?: number
  n?: number
  stop?: string[]
  logprobs?: boolean
  top_logprobs?: number
  logit_bias?: Record<string, number>
  response_format?: { type: string; json_schema?: { schema: Fields } }
  tools?: unknown[]
  reasoning_effort?: string
  timings_per_token?: boolean
  return_progress?: boolean
}

export interface ChatPlan {
  /** The chunks in order, without the envelope. */
  chunks: Fields[]
  /** The same answer as one completion. */
  whole: Fields
}

export type Refusal = { status: number; body: unknown }

interface Choice extends Answer {
  index: number
  finish: string
}

export function planChat(body: ChatBody, quirks: Quirks, contextLength: number): ChatPlan | Refusal {
  const refusal = findRefusal(body, quirks, contextLength)
  if (refusal !== undefined) return refusal
  const count = quirks.n === 'ignored' ? 1 : (body.n ?? 1)
  const choices = Array.from({ length: count }, (_, index) => makeChoice(body, quirks, index))
  return {
    chunks: choices.flatMap((choice) => toChunks(choice, body, quirks)).concat(lastUsage(choices, body, quirks)),
    whole: toWhole(choices, body, quirks),
  }
}

function findRefusal(body: ChatBody, quirks: Quirks, contextLength: number): Refusal | undefined {
  const format = body.response_format?.type
  const refuse = (message: string): Refusal => ({
    status: 400,
    body: { error: { message, type: 'invalid_request_error' } },
  })
  if (promptTokens(body) > contextLength && quirks.overflow === 'rejected')
    return refuse(`This model's maximum context length is ${contextLength} tokens.`)
  if (quirks.limitOver === 'rejected' && (body.max_tokens ?? 0) > contextLength)
    return refuse(
      `max_tokens=${body.max_tokens} cannot be greater than max_model_len=${contextLength}. Please request fewer output tokens.`,
    )
  if (format === 'json_schema' && quirks.schema === 'rejected') return refuse('json_schema is not supported')
  if (format === 'json_object' && quirks.jsonObject === 'rejected')
    return refuse("'response_format.type' must be 'json_schema'")
  if (body.tools !== undefined && quirks.tools === 'rejected') return refuse('model does not support tools')
  if (body.reasoning_effort !== undefined && quirks.effort === 'rejected') return refuse('unknown field')
  if ((body.n ?? 1) > (quirks.n === 'rejected' ? 1 : quirks.maxChoices)) return refuse('n is too large')
  return undefined
}

export function promptTokens(body: ChatBody): number {
  const tools = body.tools === undefined ? 0 : tokenise(JSON.stringify(body.tools)).length
  return body.messages.reduce((sum, { content }) => sum + 3 + tokenise(content ?? '').length, tools)
}

function makeChoice(body: ChatBody, quirks: Quirks, index: number): Choice {
  const { messages } = body
  const calls = body.tools !== undefined && quirks.tools !== 'ignored' ? weatherCalls(messages) : []
  const tokens = calls.length > 0 ? [] : makeTokens(body, quirks, messages, index)
  return limit(
    { index, calls, reasoning: makeThoughts(body, quirks), tokens, finish: calls.length > 0 ? 'tool_calls' : 'stop' },
    body,
    quirks,
  )
}

function makeTokens(body: ChatBody, quirks: Quirks, messages: StandInMessage[], index: number): string[] {
  const forced = forcedToken(body, quirks)
  if (forced !== undefined) return Array.from({ length: 999 }, () => ` t${forced}`)
  const json = makeJson(body, quirks)
  const text = json === undefined ? answerTo(messages) : (json.match(/.{1,4}/gs) ?? [])
  const isRandom = quirks.temperatureZero === 'random' || (body.temperature ?? 1) > 0
  const said = isRandom && index > 0 ? [...text, ` (${index})`] : text
  return quirks.temperatureZero === 'random' ? [...said, ` ${Math.random()}`] : said
}

function forcedToken(body: ChatBody, quirks: Quirks): string | undefined {
  const forced = Object.entries(body.logit_bias ?? {}).find(([, bias]) => bias === 100)
  return quirks.bias === 'obeyed' ? forced?.[0] : undefined
}

function makeJson(body: ChatBody, quirks: Quirks): string | undefined {
  const format = body.response_format
  if (format?.type === 'json_object' && quirks.jsonObject === 'enforced') return '{"hello": "world"}'
  if (format?.type !== 'json_schema' || quirks.schema === 'ignored') return undefined
  const isHidden = (key: string, value: unknown): boolean =>
    quirks.schema === 'without-patterns' && key === 'pattern' && typeof value === 'string'
  const known = JSON.stringify(format.json_schema!.schema, (key, value: unknown) =>
    isHidden(key, value) ? undefined : value,
  )
  const sample = sampleOf(JSON.parse(known) as JsonSchema)
  return quirks.schema === 'blanks' && body.temperature === 0 ? sample.replace('[', `[${' '.repeat(9_999)}`) : sample
}

function makeThoughts(body: ChatBody, quirks: Quirks): string[] {
  if (quirks.effort === 'starts-thinking' && body.reasoning_effort !== undefined) return tokenise('Let me think.')
  if (quirks.thinking === 'none' || forcedToken(body, quirks) !== undefined) return []
  const effort = quirks.effort === 'obeyed' ? (body.reasoning_effort ?? 'medium') : 'medium'
  return tokenise(`Let me think with ${effort} effort.`)
}

function limit(choice: Choice, body: ChatBody, quirks: Quirks): Choice {
  const most = (quirks.limit === 'ignored' ? undefined : body[quirks.limit]) ?? Number.POSITIVE_INFINITY
  const tokens = stopAt(choice.tokens, body, quirks)
  if (choice.reasoning.length + tokens.length <= most) return { ...choice, tokens }
  const reasoning = choice.reasoning.slice(0, most)
  return { ...choice, reasoning, tokens: tokens.slice(0, most - reasoning.length), finish: 'length' }
}

function stopAt(tokens: string[], body: ChatBody, quirks: Quirks): string[] {
  const stop = body.stop?.[0]
  const text = tokens.join('')
  const at = stop === undefined ? -1 : text.indexOf(stop)
  if (stop === undefined || at < 0 || quirks.stop === 'ignored') return tokens
  return tokenise(text.slice(0, quirks.stop === 'kept' ? at + stop.length : at))
}

function toChunks(choice: Choice, body: ChatBody, quirks: Quirks): Fields[] {
  const { index, finish } = choice
  const chunk = (delta: Fields, more: Fields = {}): Fields => ({
    choices: [
      {
        index,
        delta: quirks.nulls ? { ...delta, tool_calls: delta['tool_calls'] ?? null } : delta,
        finish_reason: null,
        ...more,
      },
    ],
  })
  const begin = chunk({ role: 'assistant', content: quirks.nulls ? null : '' })
  const pieces = toPieces(choice, body, quirks).map(({ delta, logprobs, done }) => ({
    ...chunk(delta, logprobs === undefined ? {} : { logprobs: { content: logprobs } }),
    ...countAlong(body, quirks, done),
  }))
  const end = chunk(
    {},
    { finish_reason: quirks.tools === 'legacy' && finish === 'tool_calls' ? 'function_call' : finish },
  )
  return [begin, ...pieces, ...callChunks(choice, quirks).map((delta) => chunk(delta)), end]
}

function toPieces(
  choice: Choice,
  body: ChatBody,
  quirks: Quirks,
): { delta: Fields; logprobs?: Fields[]; done: number }[] {
  const { thinking, tokensPerPiece } = quirks
  const key = thinking === 'field' ? 'reasoning_content' : 'reasoning'
  const isApart = thinking === 'field' || thinking === 'other-field'
  const thoughts = choice.reasoning.map((text) => ({ text, key: isApart ? key : 'content' }))
  const tags =
    !isApart && thoughts.length > 0
      ? { before: thinking === 'tags' ? '<think>\n' : '', after: '\n</think>\n\n' }
      : undefined
  const all = [
    ...(tags && tags.before !== '' ? [{ text: tags.before, key: 'content' }] : []),
    ...thoughts,
    ...(tags && choice.finish !== 'length' ? [{ text: tags.after, key: 'content' }] : []),
    ...choice.tokens.map((text) => ({ text, key: 'content' })),
  ]
  const groups: (typeof all)[] = []
  for (const part of all) {
    const last = groups.at(-1)
    if (last !== undefined && last.length < tokensPerPiece && last[0]!.key === part.key) last.push(part)
    else groups.push([part])
  }
  let done = 0
  return groups.map((group) => {
    done += group.length
    const logprobs = toLogprobs(
      group.map(({ text }) => text),
      body,
      quirks,
    )
    return { delta: { [group[0]!.key]: group.map(({ text }) => text).join('') }, done, ...(logprobs && { logprobs }) }
  })
}

function toLogprobs(tokens: string[], body: ChatBody, quirks: Quirks): Fields[] | undefined {
  if (body.logprobs !== true || quirks.logprobs === 'ignored') return undefined
  const most = quirks.logprobs === 'five' ? 5 : 20
  const count = Math.min(most, body.top_logprobs ?? 0)
  const entry = (token: string, logprob: number): Fields => ({
    token,
    logprob,
    ...(quirks.logprobs !== 'without-bytes' && { bytes: [...Buffer.from(token)] }),
  })
  return tokens.map((token) => ({
    ...entry(token, -0.5),
    top_logprobs: Array.from({ length: count }, (_, at) => entry(at === 0 ? token : `alternative ${at}`, -0.5 - at)),
  }))
}

function callChunks({ calls }: Choice, { tools }: Quirks): Fields[] {
  if (calls.length === 0 || tools === 'whole-only') return []
  const full = calls.map((call, index) => ({ index, id: `call_${index}`, type: 'function', function: call }))
  if (tools === 'legacy') return [{ function_call: calls[0] }]
  if (tools === 'streamed') return [{ tool_calls: full }]
  return full.flatMap(({ index, id, type, function: { name, arguments: given } }) => [
    { tool_calls: [{ index, id, type, function: { name, arguments: '' } }] },
    { tool_calls: [{ index, function: { arguments: given.slice(0, 5) } }] },
    { tool_calls: [{ index, function: { arguments: given.slice(5) } }] },
  ])
}

function countAlong(body: ChatBody, { usage }: Quirks, done: number): Fields {
  if (usage === 'timings' && body.timings_per_token === true)
    return { timings: { cache_n: 0, prompt_n: promptTokens(body), predicted_n: done } }
  if (usage === 'continuous' && body.stream_options?.continuous_usage_stats === true)
    return { usage: toUsage(body, done) }
  return {}
}

function lastUsage(choices: Choice[], body: ChatBody, quirks: Quirks): Fields[] {
  const wanted = body.stream_options?.include_usage === true
  return wanted && quirks.usage !== 'missing' ? [{ choices: [], usage: countUsage(choices, body, quirks) }] : []
}

function countUsage(choices: Choice[], body: ChatBody, quirks: Quirks): Fields {
  const counted = quirks.n === 'summed' ? choices : choices.slice(0, 1)
  return toUsage(
    body,
    counted.reduce((sum, { tokens, reasoning, calls }) => sum + tokens.length + reasoning.length + calls.length * 9, 0),
  )
}

function toUsage(body: ChatBody, completion: number): Fields {
  const prompt = promptTokens(body)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

function toWhole(choices: Choice[], body: ChatBody, quirks: Quirks): Fields {
  const message = ({ tokens, calls }: Choice): Fields => ({
    role: 'assistant',
    content: calls.length > 0 ? null : tokens.join(''),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, index) => ({ id: `call_${index}`, type: 'function', function: call })),
    }),
  })
  return {
    object: 'chat.completion',
    choices: choices.map((choice) => ({ index: choice.index, message: message(choice), finish_reason: choice.finish })),
    usage: countUsage(choices, body, quirks),
  }
}
