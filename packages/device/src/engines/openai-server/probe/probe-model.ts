// Finds out what a server can really do with one model, with short requests before the model is announced. A rejection or a wrong answer means
// that the feature is missing.

import type { Abilities } from '../request/abilities.ts'
import { EngineError } from '../../engine.ts'
import { probeRequest, type NoReply, type ProbeReply, type Probing } from './probe-request.ts'
import { probeJson } from './probe-json.ts'

const COUNT = [{ role: 'user', content: 'Count from 1 to 9.' }]
const COUNT_TOKENS = 24
const FEW_TOKENS = 4
const WEATHER = [{ role: 'user', content: 'What is the weather in Oslo?' }]
const TOOL_TOKENS = 128
const GET_WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
/** Ids of ordinary tokens in every vocabulary seen so far; one of them is enough. */
const FORCED_TOKENS = [300, 400, 1_000, 5_000]
const FORCED_COUNT = 6
/** Extra tokens for a model that thinks before it answers. */
const THINKING_TOKENS = 1_024
/** The first request may have to wait until the model is loaded. */
const LOADING_MS = 180_000
const ANSWER_MS = 90_000

export type ProbedServer = Pick<Probing, 'address' | 'product' | 'model' | 'signal' | 'onUnknown'>

/** Throws EngineError: retryable if nothing is known yet, otherwise because the model can't be served. */
export async function probeModel(server: ProbedServer): Promise<Abilities> {
  const limitField = await probeLimit({ ...server, thinkingTokens: 0, timeoutMs: LOADING_MS })
  const probing: Probing = { ...server, limitField, thinkingTokens: 0, timeoutMs: ANSWER_MS }
  const first = await probeBase(probing)
  const thinks = first.reasoning !== '' || first.text.includes('<think>')
  const patient: Probing = { ...probing, thinkingTokens: thinks ? THINKING_TOKENS : 0 }
  const tools = await probeTools(patient)
  const isRepeatable = isSame(first, await count(probing, {}))
  return {
    limitField,
    usage: isCounted(first),
    isTokenPerPiece: Math.abs((first.usage?.completionTokens ?? -9) - first.pieces) <= 1,
    isRepeatable,
    ...(await probeJson(patient)),
    tools: tools.ability,
    logprobs: await probeLogprobs(patient),
    n: await probeChoices(probing),
    logitBias: await probeBias(probing, first),
    reasoningEffort: await probeEffort(probing, first, { thinks, isRepeatable }),
    stop: await probeStop(probing, first),
    ...(first.usage && { templateTokens: first.usage.promptTokens }),
    startsThinking: [first, tools.reply].some(startsInside),
  }
}

async function probeLimit(probing: Omit<Probing, 'limitField'>): Promise<Abilities['limitField']> {
  const replies: (ProbeReply | NoReply)[] = []
  for (const limitField of ['max_tokens', 'max_completion_tokens'] as const) {
    const asked = { messages: COUNT, stream_options: undefined }
    const reply = await probeRequest({ ...probing, limitField }, FEW_TOKENS, asked)
    if (typeof reply !== 'string' && reply.finish === 'length' && reply.pieces <= FEW_TOKENS + 1) return limitField
    replies.push(reply)
  }
  if (replies.includes('failed')) throw new EngineError('failed', 'The server sent no answer', { retryable: true })
  throw new EngineError(
    'failed',
    replies.every((reply) => reply === 'rejected')
      ? "The server can't chat with this model"
      : 'The server ignores the token limit',
  )
}

async function probeBase(probing: Probing): Promise<ProbeReply> {
  const counted = await count(probing, {})
  const reply = counted === 'rejected' ? await count(probing, { stream_options: undefined }) : counted
  if (typeof reply === 'string' || reply.pieces === 0)
    throw new EngineError('failed', 'The server sent no answer', { retryable: true })
  return reply
}

function count(probing: Probing, fields: Record<string, unknown>): Promise<ProbeReply | NoReply> {
  return probeRequest(probing, COUNT_TOKENS, { messages: COUNT, ...fields })
}

function isCounted({ usage, pieces }: ProbeReply): boolean {
  return usage !== undefined && usage.promptTokens > 0 && usage.completionTokens > 0 && pieces > 0
}

function isSame(one: ProbeReply, other: ProbeReply | NoReply): boolean {
  return typeof other !== 'string' && one.text === other.text && one.reasoning === other.reasoning
}

async function probeTools(probing: Probing): Promise<{ ability: Abilities['tools']; reply: ProbeReply | NoReply }> {
  const asked = { messages: WEATHER, tools: [GET_WEATHER] }
  const streamed = await probeRequest(probing, TOOL_TOKENS, asked)
  if (isCalled(streamed)) return { ability: 'stream', reply: streamed }
  const whole = await probeRequest(probing, TOOL_TOKENS, { ...asked, stream: false, stream_options: undefined })
  return { ability: isCalled(whole) ? 'whole' : false, reply: streamed }
}

function isCalled(reply: ProbeReply | NoReply): boolean {
  return typeof reply !== 'string' && reply.calls.some(({ name }) => name === 'get_weather')
}

/** Expects all twenty alternatives for every token of the text. */
async function probeLogprobs(probing: Probing): Promise<boolean> {
  const reply = await probeRequest(probing, FEW_TOKENS, { messages: COUNT, logprobs: true, top_logprobs: 20 })
  if (typeof reply === 'string' || reply.logprobs.length === 0) return false
  const text = Buffer.from(reply.logprobs.flatMap(({ bytes }) => bytes)).toString()
  const isSound = reply.logprobs.every(({ logprob, top }) => logprob <= 0 && top.length === 20)
  return isSound && text.includes(reply.text)
}

async function probeChoices(probing: Probing): Promise<boolean> {
  const reply = await probeRequest(probing, FEW_TOKENS, { messages: COUNT, n: 2 })
  if (typeof reply === 'string' || !reply.choices.has(1)) return false
  return reply.usage !== undefined && reply.usage.completionTokens <= FEW_TOKENS
}

/** With the maximum bias, the forced token is all that comes, repeated. */
async function probeBias(probing: Probing, plain: ProbeReply): Promise<boolean> {
  for (const token of FORCED_TOKENS) {
    const reply = await probeRequest(probing, FORCED_COUNT, { messages: COUNT, logit_bias: { [token]: 100 } })
    if (typeof reply === 'string') continue
    const said = reply.text + reply.reasoning
    const isUsual = (plain.text + plain.reasoning).startsWith(said)
    // Some vocabularies drop the space before the first word.
    if (!isUsual && (isRepetition(said) || isRepetition(` ${said}`))) return true
  }
  return false
}

function isRepetition(text: string): boolean {
  const unit = text.slice(0, text.length / FORCED_COUNT)
  return unit !== '' && text === unit.repeat(FORCED_COUNT)
}

/** A model that doesn't think ignores the effort, or begins to think; for one that does, low and high must differ. */
async function probeEffort(
  probing: Probing,
  plain: ProbeReply,
  { thinks, isRepeatable }: { thinks: boolean; isRepeatable: boolean },
): Promise<boolean> {
  const low = await count(probing, { reasoning_effort: 'low' })
  if (typeof low === 'string') return false
  if (!thinks && (isRepeatable || isSame(plain, low))) return true
  const high = await count(probing, { reasoning_effort: 'high' })
  if (typeof high === 'string') return false
  return !isSame(low, high) || low.usage?.promptTokens !== high.usage?.promptTokens
}

async function probeStop(probing: Probing, plain: ProbeReply): Promise<Abilities['stop']> {
  const at = plain.text.indexOf(' ', 1)
  const stop = plain.text.slice(at, at + 3)
  if (at < 0 || stop.length < 3) return 'unknown'
  const reply = await count(probing, { stop: [stop] })
  if (typeof reply === 'string') return 'unknown'
  if (reply.text === plain.text) return 'ignored'
  return reply.text.endsWith(stop) ? 'kept' : 'removed'
}

function startsInside(reply: ProbeReply | NoReply): boolean {
  if (typeof reply === 'string') return false
  return reply.text.includes('</think>') && !reply.text.trimStart().startsWith('<think>')
}
