// Connects through a proxy with CONNECT. It uses node:http only for outgoing connections; nothing here listens.

import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { CommandError } from '@hearth/command-line/errors'

/** Opens a socket to the target, with TLS if the target's address asks for it. */
export async function openTunnel(proxy: URL, target: URL, signal: AbortSignal): Promise<Socket> {
  const isSecure = target.protocol === 'wss:' || target.protocol === 'https:'
  const socket = await connectThrough(proxy, `${target.hostname}:${target.port || (isSecure ? 443 : 80)}`, signal)
  if (!isSecure) return socket
  return connectTls({ socket, servername: target.hostname, ALPNProtocols: ['http/1.1'] })
}

function connectThrough(proxy: URL, authority: string, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const dial = proxy.protocol === 'https:' ? secureRequest : request
  const connecting = dial({
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: authority,
    headers: { host: authority, ...authorization(proxy) },
    agent: false,
    signal,
  })
  connecting.once('connect', (response, socket) => {
    if (response.statusCode === 200) return resolve(socket)
    socket.destroy()
    reject(refusal(proxy, response.statusCode ?? 0))
  })
  // A server that isn't a proxy sends a normal response instead of connecting.
  connecting.once('response', (response) => {
    response.destroy()
    reject(refusal(proxy, response.statusCode ?? 0))
  })
  connecting.once('error', (error) =>
    reject(new CommandError(`Can't reach the proxy ${proxy.host}`, 'check HTTPS_PROXY', { cause: error })),
  )
  connecting.end()
  return promise
}

function authorization(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {}
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

function refusal(proxy: URL, status: number): CommandError {
  const advice =
    status === 407
      ? 'add the user name and password to HTTPS_PROXY: http://user:password@proxy:port'
      : "ask the proxy's administrator to allow the gateway, or add the gateway to NO_PROXY"
  return new CommandError(`The proxy ${proxy.host} refused the connection (status ${status})`, advice)
}
