// Sends one short test request to a server and collects everything worth knowing about the answer.

import type { TokenLogprob, ToolCall, Usage } from '@hearth/protocol'
import { EngineError } from '../../engine.ts'
import type { Abilities } from '../request/abilities.ts'
import type { ChunkChoice } from '../http/chunk.ts'
import { ConnectionError, KeyError } from '../http/http-call.ts'
import { openAnswer } from '../request/open-answer.ts'
import { streamFields, type RequestBody } from '../request/request-body.ts'
import type { ProductName } from '../server/product.ts'
import type { ServerAddress } from '../http/server-address.ts'
import { ToolCallParts } from '../reply/tool-call-parts.ts'

export interface Probing {
  address: ServerAddress
  product: ProductName
  /** The server's name for it. */
  model: string
  signal: AbortSignal
  /** For one request. */
  timeoutMs: number
  limitField: Abilities['limitField']
  /** Added to every limit, for models that think before they answer. */
  thinkingTokens: number
  /** Called when a request got no proper answer, so its result stays unknown. */
  onUnknown: () => void
}

export interface ProbeReply {
  text: string
  reasoning: string
  finish: string | undefined
  calls: ToolCall[]
  usage: Usage | undefined
  logprobs: TokenLogprob[]
  /** Chunks with text or reasoning. */
  pieces: number
  /** Indexes of the choices that produced text or ended. */
  choices: Set<number>
}

/** 'rejected': the server rejected the request. 'failed': it broke, or took too long. */
export type NoReply = 'rejected' | 'failed'

// A probe is not a user's request, so there is no job behind it.
const NO_JOB = { job: { model: '', messages: [] }, contextLength: 0 }

/** Throws if the server is gone, or wants another key. */
export async function probeRequest(
  probing: Probing,
  tokens: number,
  fields: RequestBody,
): Promise<ProbeReply | NoReply> {
  const bounded = AbortSignal.any([probing.signal, AbortSignal.timeout(probing.timeoutMs)])
  try {
    return await ask(probing, { [probing.limitField]: tokens + probing.thinkingTokens, ...fields }, bounded)
  } catch (error) {
    probing.signal.throwIfAborted()
    if (error instanceof ConnectionError || error instanceof KeyError) throw error
    if (error instanceof EngineError && !error.retryable) return 'rejected'
    probing.onUnknown()
    return 'failed'
  }
}

async function ask(probing: Probing, fields: RequestBody, signal: AbortSignal): Promise<ProbeReply> {
  const body = { model: probing.model, temperature: 0, ...streamFields(probing.product, true), ...fields }
  const answer = await openAnswer(probing.address, body, NO_JOB, signal, () => undefined)
  const reply: ProbeReply = {
    text: '',
    reasoning: '',
    finish: undefined,
    calls: [],
    usage: undefined,
    logprobs: [],
    pieces: 0,
    choices: new Set(),
  }
  const calls = new ToolCallParts()
  try {
    for await (const chunk of answer.chunks) {
      if (chunk === 'done') break
      reply.usage = chunk.usage ?? reply.usage
      for (const piece of chunk.choices) take(reply, calls, piece)
    }
  } finally {
    await answer.close()
  }
  return { ...reply, calls: calls.take() }
}

function take(reply: ProbeReply, calls: ToolCallParts, piece: ChunkChoice): void {
  const isSaying = piece.text !== '' || piece.reasoning !== ''
  if (isSaying || piece.finish !== undefined) reply.choices.add(piece.index)
  if (piece.index !== 0) return
  if (isSaying) reply.pieces += 1
  reply.text += piece.text
  reply.reasoning += piece.reasoning
  reply.logprobs.push(...piece.logprobs)
  reply.finish = piece.finish ?? reply.finish
  for (const part of piece.calls) calls.push(part)
}
