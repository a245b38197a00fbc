// A load of raw keep-alive connections: each sends the request, reads the response to its end and starts over, for a given time. Understands
// just enough HTTP to find the end of a response, so that the load costs less than what it measures. Opening the connections doesn't count.

import { connect, type Socket } from 'node:net'
import { cpuMicros } from './process-facts.ts'
import { requestBody } from './tokens.ts'

export interface LoadOrder {
  port: number
  path: string
  headers: Record<string, string>
  model?: string | undefined
  stream: boolean
  connections: number
  seconds: number
  /** The processes whose CPU time counts. */
  pids: readonly number[]
}

export interface LoadResult {
  requests: number
  failures: number
  seconds: number
  /** Milliseconds from sending a request to the first byte of its response. */
  firstByteP50: number
  firstByteP99: number
  cpuMicrosPerRequest: number
}

const END_OF_STREAM = Buffer.from('data: [DONE]')
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const END_OF_CHUNKS = Buffer.from('0\r\n\r\n')

process.on('message', (order: LoadOrder) => void run(order).then((result) => process.send?.(result)))
process.on('disconnect', () => process.exit(0))

async function run(order: LoadOrder): Promise<LoadResult> {
  const request = formatRequest(order)
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => open(order, request)))
  const firstBytes: number[] = []
  const counts = { requests: 0, failures: 0 }
  const [startedAt, cpuBefore] = [performance.now(), cpuMicros(order.pids)]
  const until = startedAt + order.seconds * 1000
  await Promise.all(sockets.map((socket) => keepAsking(socket, order, request, until, firstBytes, counts)))
  const cpuMicrosPerRequest = (cpuMicros(order.pids) - cpuBefore) / counts.requests
  const seconds = (performance.now() - startedAt) / 1000
  for (const socket of sockets) socket.destroy()
  firstBytes.sort((a, b) => a - b)
  const at = (share: number) => firstBytes[Math.floor(firstBytes.length * share)] ?? Number.NaN
  return { ...counts, seconds, firstByteP50: at(0.5), firstByteP99: at(0.99), cpuMicrosPerRequest }
}

/** A connection that has been answered once. */
async function open({ port, stream }: LoadOrder, request: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', () => undefined)
  socket.write(request)
  await readAnswer(socket, stream)
  return socket
}

function formatRequest({ path, headers, stream, model }: LoadOrder): string {
  const body = requestBody(stream, model)
  const lines = Object.entries({
    host: '127.0.0.1',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  })
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

async function keepAsking(
  socket: Socket,
  { stream }: LoadOrder,
  request: string,
  until: number,
  firstBytes: number[],
  counts: { requests: number; failures: number },
): Promise<void> {
  while (performance.now() < until && !socket.destroyed) {
    const sentAt = performance.now()
    socket.write(request)
    const { isGood, firstByteAt } = await readAnswer(socket, stream)
    firstBytes.push(firstByteAt - sentAt)
    counts.requests += 1
    if (!isGood) counts.failures += 1
  }
}

function readAnswer(socket: Socket, stream: boolean): Promise<{ isGood: boolean; firstByteAt: number }> {
  const { promise, resolve } = Promise.withResolvers<{ isGood: boolean; firstByteAt: number }>()
  let firstByteAt = 0
  let received: Buffer = Buffer.alloc(0)
  const finish = (isGood: boolean) => {
    socket.off('data', take).off('close', fail)
    resolve({ isGood, firstByteAt })
  }
  const fail = () => finish(false)
  const take = (data: Buffer) => {
    firstByteAt ||= performance.now()
    received = received.length === 0 ? data : Buffer.concat([received, data])
    const isOver = stream ? received.subarray(-7).includes(END_OF_CHUNKS) : isWhole(received)
    if (isOver)
      finish(
        received.subarray(0, 12).toString('latin1') === 'HTTP/1.1 200' && (!stream || received.includes(END_OF_STREAM)),
      )
  }
  socket.on('data', take).once('close', fail)
  return promise
}

function isWhole(received: Buffer): boolean {
  const headEnd = received.indexOf(END_OF_HEAD)
  if (headEnd === -1) return false
  const head = received.subarray(0, headEnd).toString('latin1')
  const length = /content-length: (\d+)/i.exec(head)
  if (length) return received.length >= headEnd + 4 + Number(length[1])
  return received.subarray(-7).includes(END_OF_CHUNKS)
}
