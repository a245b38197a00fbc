// The clients of a fleet, in a process of their own: each request is sent when it arrives, whatever became of those before it.

import { setTimeout as sleep } from 'node:timers/promises'
import { formatRequest, openStream } from '../load/open-stream.ts'
import type { System } from '../systems/system.ts'
import { bodyOf, drawRequests, type FleetRun } from './requests.ts'

export interface FleetOrder extends Pick<System, 'port' | 'path' | 'headers'> {
  run: FleetRun
}

export interface FleetAnswer {
  /** When it arrived, in the run. */
  at: number
  status: number
  /** From the arrival; undefined without a token. */
  firstMs?: number
  /** From the arrival; undefined for what failed, and for what ran when the bench had waited long enough. */
  endMs?: number
}

/** After the last arrival. */
const PATIENCE_MS = 60_000
/** The first chunk says only whose turn it is. */
const FIRST_TOKEN = /"content":"[^"]/

process.on('message', (order: FleetOrder) => void ask(order).then((answers) => process.send?.(answers)))
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function ask({ run, ...system }: FleetOrder): Promise<FleetAnswer[]> {
  const requests = drawRequests(run)
  const answers = requests.map(({ at }): FleetAnswer => ({ at, status: 0 }))
  const startedAt = performance.now()
  const running = requests.map(async (request, index) => {
    await sleep(request.at)
    await follow(system, bodyOf(request), answers[index]!, startedAt + request.at)
  })
  await Promise.race([Promise.all(running), sleep(run.seconds * 1_000 + PATIENCE_MS, undefined, { ref: false })])
  return answers
}

async function follow(system: Omit<FleetOrder, 'run'>, body: string, answer: FleetAnswer, arrivedAt: number) {
  const { isWhole } = await openStream(system.port, formatRequest(system, body), (text, status) => {
    answer.status = status
    if (FIRST_TOKEN.test(text)) answer.firstMs ??= performance.now() - arrivedAt
  })
  if (isWhole) answer.endMs = performance.now() - arrivedAt
}
