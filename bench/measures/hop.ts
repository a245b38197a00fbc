// The cost of a token on its way from the gateway that has the device to the one that has the client: both ends of the wire between them,
// over a real NATS server, without anything else that a gateway does.

import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { startNats } from '@hearth/gateway/testing'
import { nextMessage, startChild, stopChild } from '../gateway/child.ts'
import { lowOf } from '../measuring/compare.ts'
import { cpuMicros } from '../gateway/process-facts.ts'
import type { BenchOptions, Measure } from '../measure.ts'
import type { Row } from '../report.ts'

const CHUNKS_PER_TURN = [1, 8, 64]

export const hop: Measure = {
  name: 'hop',
  async run(options) {
    const rows: Row[] = []
    for (const chunks of CHUNKS_PER_TURN) rows.push(await measureHop(chunks, options))
    return rows
  },
}

async function measureHop(chunksPerTurn: number, options: BenchOptions): Promise<Row> {
  const nats = await startNats()
  const receiver = startChild('../bus/peer-link-end.ts', { NATS_URL: nats.url, SELF: 'front', PEER: 'home' })
  const sender = startChild('../bus/peer-link-end.ts', {
    NATS_URL: nats.url,
    SELF: 'home',
    PEER: 'front',
    CHUNKS_PER_TURN: String(chunksPerTurn),
  })
  await Promise.all([nextMessage(sender), nextMessage(receiver)])
  await sleep(options.warmUpSeconds * 1_000)
  const rounds: { home: number; front: number }[] = []
  for (let round = 0; round < options.rounds; round++) rounds.push(await oneRound(sender, receiver, options.seconds))
  await Promise.all([stopChild(sender), stopChild(receiver)])
  await nats.stop()
  const [home, front] = [lowOf(rounds.map((round) => round.home)), lowOf(rounds.map((round) => round.front))]
  return {
    what: `a token from gateway to gateway, ${chunksPerTurn} per turn, CPU of both ends`,
    figures: {
      home: `${home.toFixed(2)} µs`,
      front: `${front.toFixed(2)} µs`,
      both: `${(home + front).toFixed(2)} µs`,
    },
  }
}

async function oneRound(sender: ChildProcess, receiver: ChildProcess, seconds: number) {
  const before = await costs(sender, receiver)
  await sleep(seconds * 1_000)
  const after = await costs(sender, receiver)
  const chunks = after.chunks - before.chunks
  return { home: (after.home - before.home) / chunks, front: (after.front - before.front) / chunks }
}

async function costs(sender: ChildProcess, receiver: ChildProcess) {
  receiver.send('count')
  const [chunks] = (await once(receiver, 'message')) as [number]
  return { chunks, home: cpuMicros([sender.pid!]), front: cpuMicros([receiver.pid!]) }
}
