// An HTTP server that imitates local model servers: their endpoints, their quirks and, if a test wants, their faults.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeServer, listen } from '@hearth/command-line/testing/listen'
import { planChat, promptTokens, type ChatBody, type ChatPlan, type Refusal } from './chat.ts'
import { streamChat } from './stream.ts'
import { CONFORMING, PRODUCT_QUIRKS, type Fault, type Quirks, type StandInProduct } from './quirks.ts'

type Fields = Record<string, unknown>

export interface StandInOptions {
  product?: StandInProduct
  models?: string[]
  quirks?: Partial<Quirks>
  contextLength?: number
  /** The bearer token that every request must have. */
  key?: string
  port?: number
  /** Awaited before each chunk of a chat answer. */
  beforeChunk?: (chunk: number, body: ChatBody) => Promise<void> | void
}

export interface StandIn {
  readonly url: string
  /** Bodies of all chat requests so far. */
  readonly chats: ChatBody[]
  /** Requested paths, without chats. */
  readonly looks: string[]
  /** Chat answers in progress. */
  readonly open: number
  /** Chat answers that the client aborted. */
  readonly brokenOff: number
  models: string[]
  version: string
  quirks: Quirks
  /** Applied to one chat request each, in order. */
  readonly faults: Fault[]
  /** Called with every chat request. */
  onChat: (request: IncomingMessage) => void
  /** True while the client doesn't read what was sent. */
  readonly isBlocked: boolean
  /** Requests that wait, as vLLM's GET /metrics says. */
  waiting: number
  /** Extra busy slots in GET /slots, in addition to the open answers. */
  busySlots: number
  /** Closes all connections and stops listening. */
  stop(): Promise<void>
}

export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const product = options.product ?? 'other'
  const state = {
    url: '',
    chats: [] as ChatBody[],
    looks: [] as string[],
    open: 0,
    brokenOff: 0,
    models: options.models ?? ['some-model'],
    version: '1.2.3',
    quirks: { ...CONFORMING, ...PRODUCT_QUIRKS[product], ...options.quirks },
    faults: [] as Fault[],
    waiting: 0,
    busySlots: 0,
    isBlocked: false,
    onChat: () => undefined,
    stop: () => closeServer(server),
  }
  const server = createServer((request, response) => {
    void serve(request, response, state, { ...options, product }).catch(() => response.destroy())
  })
  state.url = await listen(server, options.port)
  return state
}

const OWNED_BY: Record<StandInProduct, string> = {
  ollama: 'library',
  'llama-server': 'llamacpp',
  'lm-studio': 'organization_owner',
  vllm: 'vllm',
  other: 'me',
}

type State = { -readonly [Key in keyof StandIn]: StandIn[Key] }
type Settings = StandInOptions & { product: StandInProduct }

/** Paths that need no key. */
const UNGUARDED: Record<StandInProduct, RegExp> = {
  vllm: /^\/(?!v1\/)/,
  'llama-server': /^\/v1\/models$/,
  ollama: /^(?!)/,
  'lm-studio': /^(?!)/,
  other: /^(?!)/,
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  state: State,
  settings: Settings,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://stand-in').pathname
  const body = await readBody(request)
  const isGuarded = settings.key !== undefined && !UNGUARDED[settings.product].test(path)
  if (isGuarded && request.headers.authorization !== `Bearer ${settings.key}`)
    return sendJson(response, 401, { error: { message: 'Invalid API key' } })
  if (path === '/v1/chat/completions') {
    state.onChat(request)
    return chat(body as unknown as ChatBody, response, state, settings)
  }
  state.looks.push(path)
  if (settings.product === 'vllm' && path === '/metrics') return void response.end(metrics(state))
  const answer = lookup(path, body, state, settings)
  if (answer !== undefined) return sendJson(response, 200, answer)
  // LM Studio returns 200 for unknown paths.
  sendJson(response, settings.product === 'lm-studio' ? 200 : 404, {
    error: `Unexpected endpoint or method. (${path})`,
  })
}

function lookup(path: string, body: Fields, state: State, { product, contextLength = 4_096 }: Settings): unknown {
  const data = state.models.map((id) => ({
    id,
    object: 'model',
    owned_by: OWNED_BY[product],
    ...(product === 'vllm' && { max_model_len: contextLength }),
  }))
  if (path === '/v1/models') return { object: 'list', data }
  const own: Record<StandInProduct, Record<string, unknown>> = {
    other: {},
    vllm: { '/version': { version: state.version } },
    'llama-server': {
      '/props': {
        build_info: state.version,
        total_slots: 2,
        default_generation_settings: { n_ctx: contextLength },
        chat_template: '',
      },
      '/slots': Array.from({ length: 2 }, (_, id) => ({ id, is_processing: id < state.open + state.busySlots })),
    },
    'lm-studio': {
      '/api/v0/models': {
        data: state.models.map((id) => ({ id, type: 'llm', state: 'loaded', loaded_context_length: contextLength })),
      },
    },
    ollama: ollamaPages(state, contextLength, body),
  }
  return own[product][path]
}

function ollamaPages(state: State, contextLength: number, body: Fields): Record<string, unknown> {
  const isTooLong =
    Array.isArray(body['messages']) &&
    body['truncate'] === false &&
    promptTokens(body as unknown as ChatBody) > contextLength
  const overflow = JSON.stringify({
    error: { code: 400, message: 'exceeds the available context size', type: 'exceed_context_size_error' },
  })
  return {
    '/api/version': { version: state.version },
    '/api/tags': { models: state.models.map((name) => ({ name, digest: `sha256:${name}` })) },
    '/api/ps': { models: state.models.map((name) => ({ name, context_length: contextLength })) },
    '/api/chat': isTooLong
      ? { error: overflow }
      : {
          message: { role: 'assistant', content: 'Y' },
          done: true,
          prompt_eval_count: promptTokens({ messages: [], ...body } as unknown as ChatBody),
        },
  }
}

async function chat(body: ChatBody, response: ServerResponse, state: State, settings: Settings): Promise<void> {
  state.chats.push(body)
  if (!state.models.includes(body.model)) return sendJson(response, 404, { error: { message: 'model not found' } })
  const fault = state.faults.shift()
  const plan = planChat(body, state.quirks, settings.contextLength ?? 4_096)
  const refusal: Refusal | undefined = fault?.type === 'status' ? fault : 'status' in plan ? plan : undefined
  if (refusal !== undefined) return sendJson(response, refusal.status, refusal.body)
  state.open += 1
  response.once('close', () => {
    state.open -= 1
    if (!response.writableFinished) state.brokenOff += 1
  })
  const isStreamed = (body.stream === true) !== state.quirks.ignoresStream
  if (isStreamed) await streamChat(plan as ChatPlan, response, { body, fault, state, settings })
  else sendJson(response, 200, (plan as ChatPlan).whole)
}

function metrics({ open, waiting }: State): string {
  const gauge = (name: string, value: number): string =>
    `# TYPE vllm:${name} gauge\nvllm:${name}{engine="0",model_name="tiny"} ${value}.0\n`
  const reason = `vllm:num_requests_waiting_by_reason{engine="0",model_name="tiny",reason="capacity"} ${waiting}.0\n`
  return gauge('num_requests_running', open - waiting) + gauge('num_requests_waiting', waiting) + reason
}

async function readBody(request: IncomingMessage): Promise<Fields> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  return text === '' ? {} : (JSON.parse(text) as Fields)
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
