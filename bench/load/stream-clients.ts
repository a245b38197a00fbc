// Clients that keep streams open: each asks for a stream, reads it to its end and asks again. One that gets a 503 waits as long as the
// response says. Reports how old tokens were when they arrived, and how many streams were refused.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../percentile.ts'
import { requestBody } from '../gateway/tokens.ts'
import { agesMs } from './stamp.ts'

export interface ClientsOrder {
  port: number
  path: string
  headers: Record<string, string>
  /** This many clients join, evenly spread over this time. */
  clients: number
  withinMs: number
}

export interface ClientsReport {
  /** Streams that are running now. */
  open: number
  started: number
  refused: number
  failed: number
  tokens: number
  ageP50: number
  ageP99: number
  ageMax: number
  firstTokenP50: number
  firstTokenP99: number
}

const ages: number[] = []
const firstTokens: number[] = []
const counts = { open: 0, started: 0, refused: 0, failed: 0, tokens: 0 }

process.on('message', (order: ClientsOrder | 'report') => (order === 'report' ? report() : join(order)))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

function join(order: ClientsOrder): void {
  const request = formatRequest(order)
  for (let index = 0; index < order.clients; index++)
    setTimeout(() => void keepStreaming(order.port, request), (order.withinMs * index) / order.clients)
}

/** Tells what happened since the last report. */
function report(): void {
  const at = percentile
  process.send?.({
    ...counts,
    ageP50: at(ages, 0.5),
    ageP99: at(ages, 0.99),
    ageMax: at(ages, 1),
    firstTokenP50: at(firstTokens, 0.5),
    firstTokenP99: at(firstTokens, 0.99),
  } satisfies ClientsReport)
  ages.length = 0
  firstTokens.length = 0
  Object.assign(counts, { started: 0, refused: 0, failed: 0, tokens: 0 })
}

async function keepStreaming(port: number, request: string): Promise<void> {
  for (;;) {
    const { status, retryMs } = await readStream(port, request)
    if (status === 503) counts.refused++
    else if (status !== 200) counts.failed++
    await sleep(retryMs)
  }
}

async function readStream(port: number, request: string): Promise<{ status: number; retryMs: number }> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; retryMs: number }>()
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('utf8')
  const askedAt = performance.now()
  let status = 0
  let retryMs = 0
  let isStarted = false
  socket.on('error', () => undefined)
  socket.on('data', (data: string) => {
    if (status === 0) {
      status = Number(data.slice(9, 12))
      retryMs = Number(/^retry-after: (\d+)/im.exec(data)?.[1] ?? 0) * 1_000
      if (status === 200) counts.open++
    }
    const found = agesMs(data)
    if (found.length > 0 && !isStarted) firstTokens.push(performance.now() - askedAt)
    if (found.length > 0 && !isStarted) counts.started++
    isStarted ||= found.length > 0
    counts.tokens += found.length
    ages.push(...found)
    if (data.endsWith('0\r\n\r\n') || (status !== 200 && data.endsWith('}'))) socket.destroy()
  })
  socket.on('close', () => {
    if (status === 200) counts.open--
    resolve({ status, retryMs })
  })
  socket.write(request)
  return promise
}

function formatRequest({ path, headers }: ClientsOrder): string {
  const body = requestBody(true)
  const all = { host: 'bench', 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ ...all, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
