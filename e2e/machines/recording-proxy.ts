// A proxy as companies have: it opens tunnels, passes plain requests on, and notes for which hosts.

import { createServer, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { pipeline } from 'node:stream'
import { listen, type Listening } from '../harness/connections/listen.ts'

export interface RecordingProxy extends Listening {
  seen: ReadonlySet<string>
}

export async function startRecordingProxy(): Promise<RecordingProxy> {
  const seen = new Set<string>()
  const server = createServer((asked, response) => {
    const target = new URL(asked.url ?? '', 'http://proxy.invalid')
    seen.add(target.hostname)
    const onwards = request(target, { method: asked.method ?? 'GET', headers: asked.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      pipeline(answer, response, () => undefined)
    })
    pipeline(asked, onwards, (error) => error && response.destroy())
  })
  server.on('connect', ({ url }: IncomingMessage, socket) => {
    const { hostname: host, port } = new URL(`tcp://${url}`)
    seen.add(host)
    const target = connect(Number(port), host.replaceAll(/[[\]]/g, ''), () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    })
    pipeline(socket, target, socket, () => undefined)
  })
  return { ...(await listen(server)), seen }
}

/** This machine by any of its names, or anything else that only this machine or its own network has. */
export function isHere(host: string): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found?.map(({ address }) => address) ?? [])
  const names = ['localhost', hostname(), ...addresses, ...addresses.map((address) => `[${address}]`)]
  return names.includes(host) || /^127\.|^169\.254\.|^\[(?:::1?|fe80:.*|::ffff:7f.*)\]$|^0\.|\.localhost$/.test(host)
}
