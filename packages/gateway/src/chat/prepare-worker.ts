// Runs in its own thread and prepares one large request at a time, so that parsing it holds up nobody else.

import { parentPort } from 'node:worker_threads'
import { ApiError, prepareChat } from '@hearth/chat'
import { prepareSealed } from './prepare-sealed.ts'
import type { LargeRequest, LargeResult } from './large-requests.ts'

parentPort?.on('message', (request: LargeRequest) => {
  parentPort?.postMessage(prepare(request), [])
})

// Any other error ends this thread: the gateway reports it and starts another one.
function prepare({ bytes, limits, scope, kind, organization }: LargeRequest): LargeResult {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    if (kind === 'sealed' && scope) return { chat: prepareSealed(body, organization, scope) }
    return { chat: prepareChat(body, limits, scope) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, param, model } = error
    return { error: { code, message, param, model } }
  }
}
