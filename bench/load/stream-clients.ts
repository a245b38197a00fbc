// Clients that keep streams open: each asks for a stream, reads it to its end and asks again. One that gets a 503 waits as long as the
// response says. Reports how old tokens were when they arrived, and how many streams were refused.

import { createHistogram, type Histogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestBody } from '../gateway/tokens.ts'
import { formatRequest, openStream, type StreamEnd } from './open-stream.ts'
import { agesMicros } from './stamp.ts'

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

// In microseconds. Sorting all ages for a report would stop this process for a second, and the tokens that wait meanwhile would look old.
const ages = createHistogram()
const firstTokens = createHistogram()
const counts = { open: 0, started: 0, refused: 0, failed: 0, tokens: 0 }

process.on('message', (order: ClientsOrder | 'report') => (order === 'report' ? report() : join(order)))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

function join(order: ClientsOrder): void {
  const request = formatRequest(order, requestBody(true))
  for (let index = 0; index < order.clients; index++)
    setTimeout(() => void keepStreaming(order.port, request), (order.withinMs * index) / order.clients)
}

/** Tells what happened since the last report. */
function report(): void {
  process.send?.({
    ...counts,
    ageP50: percentileMs(ages, 50),
    ageP99: percentileMs(ages, 99),
    ageMax: percentileMs(ages, 100),
    firstTokenP50: percentileMs(firstTokens, 50),
    firstTokenP99: percentileMs(firstTokens, 99),
  } satisfies ClientsReport)
  ages.reset()
  firstTokens.reset()
  Object.assign(counts, { started: 0, refused: 0, failed: 0, tokens: 0 })
}

function percentileMs(micros: Histogram, percent: number): number {
  return micros.percentile(percent) / 1_000
}

async function keepStreaming(port: number, request: string): Promise<void> {
  for (;;) {
    const { status, retryMs } = await readStream(port, request)
    if (status === 503) counts.refused++
    else if (status !== 200) counts.failed++
    await sleep(retryMs)
  }
}

async function readStream(port: number, request: string): Promise<StreamEnd> {
  const askedAt = performance.now()
  let isOpen = false
  let isStarted = false
  const end = await openStream(port, request, (text, status) => {
    if (status === 200 && !isOpen) counts.open++
    isOpen = status === 200
    const found = agesMicros(text)
    if (found.length > 0 && !isStarted) firstTokens.record(Math.ceil((performance.now() - askedAt) * 1_000))
    if (found.length > 0 && !isStarted) counts.started++
    isStarted ||= found.length > 0
    counts.tokens += found.length
    for (const age of found) ages.record(Math.max(1, age))
  })
  if (isOpen) counts.open--
  return end
}
