// A thousand streams run, and three hundred clients connect at once. How long until each has a response, in milliseconds and in turns of the
// gateway's event loop? For comparison, the same with a gateway that has nothing else to do: opening three hundred connections takes the
// clients a while, however idle the gateway is.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../percentile.ts'
import { cpuMicros } from '../gateway/process-facts.ts'
import { startStreams, total } from './streams.ts'
import { REQUEST, TurnClock } from './turn-clock.ts'

const STREAMS = 1_000
const CROWD = 300
/** Connections that are opened before this process looks for responses. */
const AT_ONCE = 20
const ROUNDS = 5
const SETTLE_MS = 6_000
const URGENT = -10
const NORMAL = 0

interface Wait {
  ms: number
  turns: number
}

/** Medians over the rounds. */
interface Crowd {
  p50: Wait
  last: Wait
}

export interface Accepting {
  busy: Crowd
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
  return { busy, idle, cpuShare, tokensPerSecond: tokens / seconds }
}

/** On two cores, the clients of the streams take one. Those that are measured should not have to wait for it. */
async function measureCrowd(port: number): Promise<Crowd> {
  askForPriority(URGENT)
  const crowd = await measureRounds(port)
  // Processes that are started later would have it too.
  askForPriority(NORMAL)
  return crowd
}

function askForPriority(priority: number): void {
  try {
    setPriority(priority)
  } catch {
    // Only an administrator may. Without it, the figures are less steady.
  }
}

async function measureRounds(port: number): Promise<Crowd> {
  const rounds: Wait[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const clock = await TurnClock.start(port)
    const sockets: Socket[] = []
    rounds.push(await Promise.all(await connectAll(port, clock, sockets)))
    clock.stop()
    for (const socket of sockets) socket.destroy()
    await sleep(500)
  }
  return { p50: middle(rounds, 0.5), last: middle(rounds, 1) }
}

async function connectAll(port: number, clock: TurnClock, sockets: Socket[]): Promise<Promise<Wait>[]> {
  const waits: Promise<Wait>[] = []
  while (waits.length < CROWD) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    sockets.push(socket)
    waits.push(waitFor(socket, clock))
    if (waits.length % AT_ONCE === 0) await nextTurn()
  }
  return waits
}

async function waitFor(socket: Socket, clock: TurnClock): Promise<Wait> {
  const [startedAt, turn] = [performance.now(), clock.turns]
  socket.write(REQUEST)
  await once(socket, 'data')
  return { ms: performance.now() - startedAt, turns: clock.turns - turn }
}

function middle(rounds: readonly Wait[][], share: number): Wait {
  const over = (pick: (wait: Wait) => number) =>
    percentile(
      rounds.map((waits) => percentile(waits.map(pick), share)),
      0.5,
    )
  return { ms: over(({ ms }) => ms), turns: over(({ turns }) => turns) }
}
