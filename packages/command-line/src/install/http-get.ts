// One GET request, through the proxy from the environment if there is one. It runs on the machine's own Node, which may be too old to
// support proxies.

import { request, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { chooseProxy, type Environment } from '../gateway/choose-proxy.ts'
import { authorization, openTunnel, place } from '../gateway/proxy-tunnel.ts'

export interface GetOptions {
  environment: Environment
  maxBytes: number
  timeoutMs: number
  headers?: Readonly<Record<string, string>>
}

export interface GetAnswer {
  status: number
  body: Buffer
}

/** Follows no redirects: the download gets executed, so it must come from the gateway itself. */
export async function httpGet(
  url: URL,
  { environment, maxBytes, timeoutMs, headers = {} }: GetOptions,
): Promise<GetAnswer> {
  const signal = AbortSignal.timeout(timeoutMs)
  const answer = await ask(url, chooseProxy(url, environment), headers, signal)
  return { status: answer.statusCode ?? 0, body: await readAll(answer, maxBytes) }
}

async function ask(
  url: URL,
  proxy: URL | undefined,
  own: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  if (proxy === undefined)
    return send(url.protocol === 'https:', { ...place(url), path: pathOf(url), headers: own, signal })
  const viaTls = proxy.protocol === 'https:'
  const headers = { host: url.host, ...own, ...authorization(proxy) }
  if (url.protocol === 'http:') return send(viaTls, { ...place(proxy), path: url.href, headers, signal })
  const socket = await openTunnel(proxy, url, signal)
  return send(false, {
    ...place(url),
    path: pathOf(url),
    headers: { host: url.host, ...own },
    createConnection: (): Socket => socket,
    signal,
  })
}

function send(viaTls: boolean, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const dial = viaTls ? secureRequest : request
    dial({ ...options, agent: false })
      .once('response', resolve)
      .once('error', reject)
      // A server that switches to another protocol ends the request without either of them.
      .once('close', () => reject(new Error('the connection was closed without an answer')))
      .end()
  })
}

async function readAll(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes`)
  }
  return Buffer.concat(parts)
}

function pathOf(url: URL): string {
  return url.pathname + url.search
}
