// Connects through a proxy with CONNECT. It uses node:http only for outgoing connections; nothing here listens. Installers run it on the
// machine's own Node, which may be old.

import { request, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { CommandError } from '../errors.ts'

/** Opens a socket to the target, with TLS if the target's address asks for it. */
export async function openTunnel(proxy: URL, target: URL, signal: AbortSignal): Promise<Socket> {
  const isSecure = target.protocol === 'wss:' || target.protocol === 'https:'
  const socket = await connectThrough(proxy, `${target.hostname}:${target.port || (isSecure ? 443 : 80)}`, signal)
  if (!isSecure) return socket
  return connectTls({ socket, servername: target.hostname, ALPNProtocols: ['http/1.1'] })
}

function connectThrough(proxy: URL, authority: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const dial = proxy.protocol === 'https:' ? secureRequest : request
    const headers = { host: authority, ...authorization(proxy) }
    dial({ ...place(proxy), method: 'CONNECT', path: authority, headers, agent: false, signal })
      .once('connect', (response, socket) => {
        if (response.statusCode === 200) return resolve(socket)
        socket.destroy()
        return reject(refusal(proxy, response.statusCode ?? 0))
      })
      // A server that isn't a proxy sends a normal response instead of connecting.
      .once('response', (response) => {
        response.destroy()
        reject(refusal(proxy, response.statusCode ?? 0))
      })
      .once('error', (error) =>
        reject(new CommandError(`Can't reach the proxy ${proxy.host}`, 'check HTTPS_PROXY', { cause: error })),
      )
      .end()
  })
}

export function place(url: URL): RequestOptions {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port: url.port || (url.protocol === 'https:' ? 443 : 80), servername: host } as RequestOptions
}

export function authorization(proxy: URL): Record<string, string> {
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
