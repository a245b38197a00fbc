// How much memory an open stream and an idle device link cost the gateway.

import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryBytes } from './process-facts.ts'
import { startHearth } from './systems.ts'
import { requestBody } from './tokens.ts'

/** Time for the gateway's memory to settle after a change. */
const REST_MS = 3_000

export async function bytesPerStream(streams: number): Promise<number> {
  const system = await startHearth({ holds: true, size: { keys: 1, devices: Math.ceil(streams / 64) } })
  const sockets: Socket[] = []
  for (let warm = 0; warm < 200; warm++) (await openStream(system.port, system.headers)).destroy()
  await sleep(REST_MS)
  const before = memoryBytes(system.pids)
  for (let index = 0; index < streams; index++) sockets.push(await openStream(system.port, system.headers))
  await sleep(REST_MS)
  const after = memoryBytes(system.pids)
  for (const socket of sockets) socket.destroy()
  await system.stop()
  return (after - before) / streams
}

export async function bytesPerLink(links: number): Promise<number> {
  const few = await startHearth({ size: { keys: 1, devices: 1 } })
  await sleep(REST_MS)
  const before = memoryBytes(few.pids)
  await few.stop()
  const many = await startHearth({ size: { keys: 1, devices: links + 1 } })
  await sleep(REST_MS)
  const after = memoryBytes(many.pids)
  await many.stop()
  return (after - before) / links
}

async function openStream(port: number, headers: Record<string, string>): Promise<Socket> {
  const body = requestBody(true)
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  const lines = Object.entries({
    host: 'x',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  })
  socket.write(
    `POST /openai/v1/chat/completions HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
  await once(socket, 'data')
  socket.resume()
  return socket
}
