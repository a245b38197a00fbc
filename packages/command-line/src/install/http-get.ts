// One GET request, through the proxy from the environment if there is one. It runs on the machine's own Node, which may be too old to
// support proxies.

import { request, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { chooseProxy, type Environment } from '../gateway/choose-proxy.ts'

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
  const createConnection = (): Socket => connectTls({ socket, servername: url.hostname })
  return send(false, {
    ...place(url),
    path: pathOf(url),
    headers: { host: url.host, ...own },
    createConnection,
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

function openTunnel(proxy: URL, url: URL, signal: AbortSignal): Promise<Socket> {
  const authority = `${url.hostname}:${url.port || 443}`
  return new Promise((resolve, reject) => {
    const dial = proxy.protocol === 'https:' ? secureRequest : request
    const headers = { host: authority, ...authorization(proxy) }
    dial({ ...place(proxy), method: 'CONNECT', path: authority, headers, agent: false, signal })
      .once('connect', ({ statusCode = 0 }, socket) => {
        if (statusCode === 200) return resolve(socket)
        socket.destroy()
        return reject(new Error(`proxy ${proxy.host} refused the connection (status ${statusCode})`))
      })
      .once('error', reject)
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

function place(url: URL): RequestOptions {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port: url.port || (url.protocol === 'https:' ? 443 : 80), servername: host } as RequestOptions
}

function pathOf(url: URL): string {
  return url.pathname + url.search
}

function authorization(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {}
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}
