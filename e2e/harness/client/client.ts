// A plain HTTP client for the API, without an SDK: one call per request, and the reply is read whole unless a stream is requested.

import { DEADLINE_MS } from '../deadline.ts'
import { readEvents, readWholeStream, type StreamEvent, type WholeStream } from './read-stream.ts'

export interface CallOptions {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | object
  /** The key to send; null sends none. */
  key?: string | null
  signal?: AbortSignal
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The parsed body; undefined if it is empty. */
  json: unknown
}

/** Node cancels the body of a response that is garbage collected, so the events of a stream keep its response alive. */
const heldResponses = new WeakMap<AsyncGenerator<StreamEvent, void>, Response>()

export class Client {
  readonly base: string
  readonly key: string

  /** `base` ends with the path prefix of the API. */
  constructor(base: string, key: string) {
    this.base = base
    this.key = key
  }

  /** A path that starts with a slash is relative to the API; a complete URL is used as it is. */
  async fetch(
    path: string,
    { method, headers = {}, body, key = this.key, signal }: CallOptions = {},
  ): Promise<Response> {
    const isObject = typeof body === 'object' && !(body instanceof Uint8Array)
    const payload = isObject ? JSON.stringify(body) : body
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    return fetch(path.startsWith('/') ? this.base + path : path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(isObject && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    })
  }

  async call(path: string, options?: CallOptions): Promise<Answer> {
    const response = await this.fetch(path, options)
    const text = await response.text()
    const isJson = text !== '' && (response.headers.get('content-type')?.startsWith('application/json') ?? false)
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  }

  async post(body: object, options?: CallOptions): Promise<Answer> {
    return this.call('/chat/completions', { ...options, body })
  }

  /** Resolves with the response's headers; the events follow as they arrive. */
  async openStream(body: object, options?: CallOptions): Promise<OpenStream> {
    const response = await this.fetch('/chat/completions', { ...options, body: { ...body, stream: true } })
    if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
      throw new Error(`Not a stream: ${response.status} ${await response.text()}`)
    if (response.body === null) throw new Error('A stream without a body')
    const events = readEvents(response.body)
    heldResponses.set(events, response)
    return { status: response.status, headers: response.headers, events }
  }

  async stream(body: object, options?: CallOptions): Promise<WholeStream & { headers: Headers }> {
    const { headers, events } = await this.openStream(body, options)
    return { headers, ...(await readWholeStream(events)) }
  }
}

export interface OpenStream {
  status: number
  headers: Headers
  events: AsyncGenerator<StreamEvent, void>
}
