// An HTTP server that behaves like llama-server, with one of our own engines behind it: a stand-in that really generates text.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ChatEvent, TokenLogprob } from '@hearth/protocol'
import { EngineError, type Engine } from '../engines/engine.ts'
import { readChatBody, type WireBody } from './read-chat-body.ts'

export interface EngineFront {
  readonly url: string
  stop(): Promise<void>
}

interface Front {
  engine: Engine
  /** Jobs in progress. */
  busy: number
}

/** Expects a started engine, and leaves it running when the front stops. */
export async function startEngineFront(engine: Engine): Promise<EngineFront> {
  const front: Front = { engine, busy: 0 }
  const server = createServer(
    (request, response) => void serve(request, response, front).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, front: Front): Promise<void> {
  const [model] = front.engine.models()
  const { pathname } = new URL(request.url ?? '/', 'http://front')
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  if (pathname === '/v1/chat/completions')
    return chat(JSON.parse(Buffer.concat(parts).toString()) as WireBody, response, front)
  const pages: Record<string, unknown> = {
    '/v1/models': { object: 'list', data: front.engine.models().map(({ name }) => ({ id: name, object: 'model' })) },
    '/props': {
      build_info: 'front',
      total_slots: model?.slots,
      default_generation_settings: { n_ctx: model?.contextLength },
    },
    '/slots': Array.from({ length: model?.slots ?? 0 }, (_, id) => ({ id, is_processing: id < front.busy })),
  }
  sendJson(response, pages[pathname] === undefined ? 404 : 200, pages[pathname] ?? {})
}

async function chat(body: WireBody, response: ServerResponse, front: Front): Promise<void> {
  const abort = new AbortController()
  response.once('close', () => abort.abort(new Error('the client is gone')))
  front.busy += 1
  try {
    const events = front.engine.run(readChatBody(body), abort.signal, () => undefined)
    if (body.stream === true) await stream(body, events, response)
    else await whole(events, response)
  } catch (error) {
    if (!response.headersSent && !abort.signal.aborted) sendFailure(response, error)
    else response.destroy()
  } finally {
    front.busy -= 1
  }
}

async function stream(body: WireBody, events: AsyncIterable<ChatEvent>, response: ServerResponse): Promise<void> {
  for await (const event of events) {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of toChunks(event, body))
      if (!response.write(`data: ${JSON.stringify(chunk)}\n\n`) && !response.destroyed)
        await new Promise((resolve) => response.once('drain', resolve))
  }
  response.end('data: [DONE]\n\n')
}

function toChunks(event: ChatEvent, body: WireBody): unknown[] {
  const chunk = (index: number, delta: object, more: object = {}): unknown => ({
    choices: [{ index, delta, finish_reason: null, ...more }],
  })
  switch (event.type) {
    case 'text':
      return [
        chunk(
          event.choice,
          { content: event.text },
          event.logprobs && { logprobs: { content: event.logprobs.map(toEntry) } },
        ),
      ]
    case 'tool-calls':
      return event.calls.map(({ id, name, arguments: given }, index) =>
        chunk(event.choice, { tool_calls: [{ index, id, type: 'function', function: { name, arguments: given } }] }),
      )
    case 'end':
      return [
        ...event.finishes.map((finish, index) => chunk(index, {}, { finish_reason: finish })),
        ...(body.stream_options?.include_usage === true ? [{ choices: [], usage: toUsage(event) }] : []),
      ]
    case 'annotations':
      return []
    default:
      return event satisfies never
  }
}

async function whole(events: AsyncIterable<ChatEvent>, response: ServerResponse): Promise<void> {
  const texts: string[] = []
  const calls: object[][] = []
  for await (const event of events) {
    if (event.type === 'text') texts[event.choice] = (texts[event.choice] ?? '') + event.text
    if (event.type === 'tool-calls')
      calls[event.choice] = event.calls.map(({ id, name, arguments: given }) => ({
        id,
        function: { name, arguments: given },
      }))
    if (event.type !== 'end') continue
    const choices = event.finishes.map((finish, index) => ({
      index,
      finish_reason: finish,
      message: { content: texts[index] ?? null, ...(calls[index] && { tool_calls: calls[index] }) },
    }))
    sendJson(response, 200, { choices, usage: toUsage(event) })
  }
}

function toEntry({ token, logprob, bytes, top }: TokenLogprob): object {
  return { token, logprob, bytes, top_logprobs: top }
}

function toUsage({ usage }: Extract<ChatEvent, { type: 'end' }>): object | undefined {
  return usage && { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens }
}

function sendFailure(response: ServerResponse, error: unknown): void {
  const code = error instanceof EngineError ? error.code : 'failed'
  if (code === 'context_length_exceeded')
    return sendJson(response, 400, { error: { code: 400, type: 'exceed_context_size_error', message: 'too long' } })
  sendJson(response, code === 'failed' ? 500 : 400, { error: { message: `cannot convert the schema: ${code}` } })
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
