// A small HTTP proxy for one test: it opens tunnels, reaches nothing else, and keeps what it saw.

import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { serveHere } from './serve-here.ts'

export interface TunnelProxyOptions {
  /** The user name and password that it demands, as `name:password`. */
  password?: string
  /** The names that only it knows. */
  names?: Readonly<Record<string, string>>
}

export async function startTunnelProxy({ password, names = {} }: TunnelProxyOptions = {}) {
  const tunnels: string[] = []
  const requests: string[] = []
  /** Of each tunnel, what the client sent through it. */
  const sent: Buffer[][] = []
  const mayPass = ({ headers }: IncomingMessage): boolean =>
    password === undefined || headers['proxy-authorization'] === `Basic ${Buffer.from(password).toString('base64')}`
  const server = createServer((asked, response) => {
    requests.push(asked.url ?? '')
    // As proxies do with what they can't reach.
    response.writeHead(mayPass(asked) ? 502 : 407).end('a proxy')
  })
  server.on('connect', (asked: IncomingMessage, socket: Duplex) => {
    const place = asked.url ?? ''
    tunnels.push(place)
    if (!mayPass(asked)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const bytes: Buffer[] = []
    sent.push(bytes)
    const target = open(place, names).once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.on('data', (part: Buffer) => bytes.push(part))
      target.pipe(socket).pipe(target)
    })
    target.on('error', () => socket.destroy())
    return void socket.on('error', () => target.destroy()).on('close', () => target.destroy())
  })
  return { url: await serveHere(server), tunnels, requests, sent }
}

function open(place: string, names: Readonly<Record<string, string>>): Socket {
  const { hostname, port } = new URL(`tcp://${place}`)
  const name = hostname.replace(/^\[|\]$/g, '')
  return connect(Number(port), names[name] ?? name)
}
