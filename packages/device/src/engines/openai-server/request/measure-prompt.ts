// Counts the prompt tokens of an answer that we cut off, on servers that report usage only at the end. It repeats the request with a limit of
// one token. The server still has the prompt in its cache, so this costs about one token.

import type { ChatJob } from '@hearth/protocol'
import { readChunk } from '../http/chunk.ts'
import { callJson } from '../http/http-call.ts'
import { requestBody, type ServerModel } from './request-body.ts'
import type { ServerAddress } from '../http/server-address.ts'

const MEASURE_MS = 10_000

export async function measurePrompt(
  address: ServerAddress,
  job: ChatJob,
  model: ServerModel,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { stream_options: _, ...body } = requestBody({ ...job, maxTokens: 1 }, model, 1)
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(MEASURE_MS)])
  try {
    const { value } = await callJson(address, '/v1/chat/completions', { ...body, stream: false }, bounded)
    return readChunk(value).usage?.promptTokens
  } catch {
    signal.throwIfAborted()
    // The reply has been given; only its usage is unknown.
    return undefined
  }
}
