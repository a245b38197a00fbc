// Sends a planned chat answer as server-sent events, with the fault a test asked for.

import type { ServerResponse } from 'node:http'
import type { ChatBody, ChatPlan } from './chat.ts'
import type { Fault } from './quirks.ts'

export interface Streaming {
  body: ChatBody
  fault: Fault | undefined
  state: { isBlocked: boolean }
  settings: { beforeChunk?: (chunk: number, body: ChatBody) => Promise<void> | void }
}

export async function streamChat(plan: ChatPlan, response: ServerResponse, streaming: Streaming): Promise<void> {
  const { body, fault, state, settings } = streaming
  if (fault?.type === 'html')
    return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')
  response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' })
  if (fault?.type === 'endless-line') return pour(response)
  if (fault?.type === 'silent') return response.flushHeaders()
  const envelope = { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: body.model }
  for (const [at, chunk] of plan.chunks.entries()) {
    await settings.beforeChunk?.(at, body)
    if (response.destroyed || isBroken(at, fault, response)) return
    const isFree = response.write(`data: ${JSON.stringify({ ...envelope, ...chunk })}\n\n`)
    if (isFree) continue
    state.isBlocked = true
    await drained(response)
    state.isBlocked = false
  }
  response.end('data: [DONE]\n\n')
}

async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  response.on('drain', resolve).on('close', resolve)
  await promise
  response.off('drain', resolve).off('close', resolve)
}

/** True if the fault happened and nothing more should be sent. */
function isBroken(at: number, fault: Fault | undefined, response: ServerResponse): boolean {
  const isHere = fault !== undefined && at === ('afterPieces' in fault ? fault.afterPieces : 2)
  if (!isHere) return false
  switch (fault.type) {
    case 'cut':
      response.end()
      return true
    case 'reset':
      response.socket?.resetAndDestroy()
      return true
    case 'broken-json':
      response.end('data: {"choices": [{"delta"\n\n')
      return true
    case 'error-in-stream':
      response.end(`data: ${JSON.stringify(fault.body)}\n\n`)
      return true
    case 'endless-line':
    case 'html':
    case 'none':
    case 'silent':
    case 'status':
      return false
    default:
      return fault satisfies never
  }
}

function pour(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write('data: '.padEnd(65_536, 'x')));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}
