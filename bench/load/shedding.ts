// Twice as many streams as one process can carry. How fast do the running ones stay, and what do the others get?

import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../percentile.ts'
import { cpuMicros } from '../gateway/process-facts.ts'
import type { ClientsReport } from './stream-clients.ts'
import { startStreams, total, type Streams } from './streams.ts'

/** Enough to know what a stream costs, and far from too many. */
const SAMPLE = 300
const MOST = 4_000
/** The streams run for `settle` before they are measured: the gateway needs a moment to find its limit. */
const PHASES_MS = { sample: 5_000, join: 5_000, settle: 5_000, measure: 20_000 }

export interface Age {
  p50: number
  p99: number
}

export interface Shedding {
  /** Clients that want a stream: twice as many as one core can carry. */
  offered: number
  /** Running at the end. */
  open: number
  tokensPerSecond: number
  refused: number
  failed: number
  /** Milliseconds between the device's sending a token and the client's receiving it, with few streams and with too many. */
  lightAge: Age
  age: Age
  /** /healthz over a new connection. */
  health: Age
  linksLost: number
}

export async function measureShedding(checkout?: string): Promise<Shedding> {
  const streams = await startStreams(MOST, checkout)
  const { port } = streams.system
  const linksBefore = await countLinks(port)
  const { capacity, lightAge } = await findCapacity(streams)
  const offered = Math.min(MOST, 2 * capacity)
  await streams.join(offered - SAMPLE, PHASES_MS.join)
  await sleep(PHASES_MS.join + PHASES_MS.settle)
  await streams.report()
  const health = await watchHealth(port, PHASES_MS.measure)
  const reports = await streams.report()
  const linksLost = linksBefore - (await countLinks(port))
  await streams.stop()
  return {
    offered,
    open: total(reports, ({ open }) => open),
    tokensPerSecond: total(reports, ({ tokens }) => tokens) / (PHASES_MS.measure / 1_000),
    refused: total(reports, ({ refused }) => refused),
    failed: total(reports, ({ failed }) => failed),
    lightAge,
    age: ageOf(reports),
    health: { p50: percentile(health, 0.5), p99: percentile(health, 0.99) },
    linksLost,
  }
}

async function findCapacity(streams: Streams): Promise<{ capacity: number; lightAge: Age }> {
  const { pids } = streams.system
  await streams.join(SAMPLE, 1_000)
  await sleep(3_000)
  await streams.report()
  const [startedAt, before] = [performance.now(), cpuMicros(pids)]
  await sleep(PHASES_MS.sample)
  const micros = cpuMicros(pids) - before
  const seconds = (performance.now() - startedAt) / 1_000
  const reports = await streams.report()
  return { capacity: Math.round((SAMPLE * seconds * 1e6) / micros), lightAge: ageOf(reports) }
}

function ageOf(reports: readonly ClientsReport[]): Age {
  const p50 = percentile(
    reports.map(({ ageP50 }) => ageP50),
    0.5,
  )
  return { p50, p99: Math.max(...reports.map(({ ageP99 }) => ageP99)) }
}

async function watchHealth(port: number, forMs: number): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + forMs
  while (performance.now() < until) {
    const askedAt = performance.now()
    const { status } = await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: 'close' } })
    if (status === 200) times.push(performance.now() - askedAt)
    await sleep(50)
  }
  return times
}

async function countLinks(port: number): Promise<number> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text())
  return Number(/^hearth_links (\d+)$/m.exec(text)?.[1])
}
