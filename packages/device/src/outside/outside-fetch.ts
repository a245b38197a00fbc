// `fetch` for addresses that somebody else chose.

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Environment } from '@hearth/command-line/gateway/choose-proxy'
import { proxyAgent } from '@hearth/command-line/gateway/proxy-agent'
import { follow } from './follow.ts'
import type { WebRules } from './web-rules.ts'

export interface OutsideOptions {
  rules: WebRules
  /** The owner's proxies. */
  environment: Environment
  /** Servers that the owner chose: asked wherever they are, but what they redirect to is checked. */
  owners?: () => readonly URL[]
}

const MAX_HOPS = 6
/** Responses that have no body. */
const EMPTY = [204, 205, 304]

/** Supports what downloads need: GET with headers and a signal. Throws ForbiddenAddress. */
export function createOutsideFetch({ rules, environment, owners = () => [] }: OutsideOptions): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const trusted = owners().map(({ origin }) => origin)
    const answer = await follow(url, {
      headers: Object.fromEntries(new Headers(init?.headers)),
      signal: init?.signal ?? new AbortController().signal,
      rules,
      maxHops: MAX_HOPS,
      isOwners: ({ origin }) => trusted.includes(origin),
      proxyAgent: (target, until) => proxyAgent(target, environment, until),
    })
    return toResponse(answer, url)
  }
}

function toResponse(answer: IncomingMessage, { host }: URL): Response {
  const { statusCode: status = 0, headers } = answer
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity'
  if (status < 200 || status > 599 || !isPlain) {
    answer.destroy()
    throw new Error(isPlain ? `${host} returned status ${status}` : `${host} sends a compressed answer`)
  }
  const isEmpty = EMPTY.includes(status)
  if (isEmpty) answer.resume()
  const body = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers: plainHeaders(answer) })
}

function plainHeaders({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  return headers
}
