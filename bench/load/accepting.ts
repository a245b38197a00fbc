// A thousand streams run, and three hundred clients connect at once. How long until each has a response, compared with clients whose
// connection is open already, and with a gateway that has nothing else to do? Opening three hundred connections takes the clients a while,
// however idle the gateway is.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../percentile.ts'
import { cpuMicros } from '../gateway/process-facts.ts'
import { startStreams, total } from './streams.ts'

const STREAMS = 1_000
const CROWD = 300
const ROUNDS = 5
const SETTLE_MS = 6_000
const REQUEST = 'GET /healthz HTTP/1.1\r\nhost: bench\r\n\r\n'

interface Times {
  p50: number
  last: number
}

/** Milliseconds until the response, of clients that connect and of clients that are connected. */
interface Crowd {
  fresh: Times
  kept: Times
}

export interface Accepting extends Crowd {
  idle: Crowd
  /** Of one core. */
  cpuShare: number
  tokensPerSecond: number
}

export async function measureAccepting(checkout?: string): Promise<Accepting> {
  const streams = await startStreams(STREAMS, checkout)
  const { pids, port } = streams.system
  const idle = await measureCrowd(port)
  await streams.join(STREAMS, 3_000)
  await sleep(SETTLE_MS)
  await streams.report()
  const [startedAt, cpuBefore] = [performance.now(), cpuMicros(pids)]
  const busy = await measureCrowd(port)
  const seconds = (performance.now() - startedAt) / 1_000
  const cpuShare = (cpuMicros(pids) - cpuBefore) / 1e6 / seconds
  const tokens = total(await streams.report(), (report) => report.tokens)
  await streams.stop()
  return { ...busy, idle, cpuShare, tokensPerSecond: tokens / seconds }
}

async function measureCrowd(port: number): Promise<Crowd> {
  const fresh: number[][] = []
  const kept: number[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const sockets = Array.from({ length: CROWD }, () => connect({ port, host: '127.0.0.1', noDelay: true }))
    fresh.push(await askAll(sockets))
    await sleep(500)
    kept.push(await askAll(sockets))
    for (const socket of sockets) socket.destroy()
    await sleep(500)
  }
  return { fresh: middle(fresh), kept: middle(kept) }
}

async function askAll(sockets: readonly Socket[]): Promise<number[]> {
  const startedAt = performance.now()
  return Promise.all(
    sockets.map(async (socket) => {
      socket.write(REQUEST)
      await once(socket, 'data')
      return performance.now() - startedAt
    }),
  )
}

/** Medians over the rounds. */
function middle(rounds: readonly number[][]): Times {
  const over = (share: number) =>
    percentile(
      rounds.map((times) => percentile(times, share)),
      0.5,
    )
  return { p50: over(0.5), last: over(1) }
}
