// Calls /openai/v1/chat/completions the way an app would.

import { ApiFailure } from '../../../api/client.ts'
import { addChunk, addWhole, type Answer, type WholeAnswer } from './answer.ts'
import type { Body } from './body.ts'
import type { PlaygroundKey } from './playground-key.ts'
import { readStream } from './read-stream.ts'

const ADDRESS = '/openai/v1/chat/completions'

/** Fills the answer and reports every chunk. Throws an ApiFailure, or the signal's reason if the call was stopped. */
export async function requestCompletion(
  body: Body,
  key: PlaygroundKey,
  answer: Answer,
  onGrow: () => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    const response = await key.use(async (secret) => post(body, secret, signal))
    answer.request = response.headers.get('x-request-id')
    answer.device = response.headers.get('x-hearth-device')
    if (body['stream'] === true && response.body) {
      for await (const chunk of readStream(response.body)) {
        addChunk(answer, chunk, performance.now())
        onGrow()
      }
    } else addWhole(answer, (await response.json()) as WholeAnswer)
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof ApiFailure ? error : lost(error)
  } finally {
    answer.endedAt = performance.now()
  }
}

/** The key authenticates the call. The session cookie is not sent. */
async function post(body: Body, secret: string, signal: AbortSignal): Promise<Response> {
  return fetch(ADDRESS, {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
}

function lost(cause: unknown): ApiFailure {
  const message = 'Lost the connection to the gateway. It may be restarting, or the network is down.'
  const failure = new ApiFailure(0, { code: 'unreachable', message, param: null })
  failure.cause = cause
  return failure
}
