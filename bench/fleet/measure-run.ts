// One fleet at one load, through a gateway of its own.

import { setTimeout as sleep } from 'node:timers/promises'
import { timesOf, type AnswerTimes } from '@hearth/gateway/testing'
import { nextMessage, startChild, stopChild } from '../gateway/child.ts'
import { startHearth } from '../systems/hearth.ts'
import type { FleetAnswer, FleetOrder } from './clients.ts'
import type { EngineCounts } from './paced-engine.ts'
import { findWorld, type FleetRun } from './requests.ts'

/** At the same load, and not counted: a gateway has to find out how fast its devices are. */
export const WARM_UP_SECONDS = 20

export interface FleetResult extends AnswerTimes {
  /** Answers that failed, and those that ran when the bench had waited long enough. */
  failures: number
  /** The part of all characters of the prompts that a device had to read although another one holds them. */
  readAgain: number
  /** The part of the answers that each device began. */
  devices: readonly number[]
  /** Answers that moved from one device to another. */
  moved: number
}

/** `seconds` includes those that don't count. */
export async function measureRun(run: FleetRun, checkout: string | undefined): Promise<FleetResult> {
  const size = { keys: 1, devices: findWorld(run.world).devices.length }
  const hearth = await startHearth({
    device: '../fleet/devices.ts',
    deviceSettings: { WORLD: run.world },
    size,
    checkout,
  })
  const clients = startChild('../fleet/clients.ts')
  await nextMessage(clients)
  const { port, path, headers } = hearth
  clients.send({ port, path, headers, run } satisfies FleetOrder)
  const answered = nextMessage<FleetAnswer[]>(clients)
  await sleep(WARM_UP_SECONDS * 1_000)
  await hearth.report()
  const answers = await answered
  const engines = await hearth.report<EngineCounts[]>()
  await stopChild(clients)
  await hearth.stop()
  return summarize(answers, engines)
}

function summarize(answers: readonly FleetAnswer[], engines: readonly EngineCounts[]): FleetResult {
  const counted = answers.filter(isCounted)
  const whole = counted.flatMap(({ firstMs, endMs }) =>
    firstMs === undefined || endMs === undefined ? [] : [{ first: firstMs, end: endMs }],
  )
  const total = (pick: (counts: EngineCounts) => number) => engines.reduce((sum, counts) => sum + pick(counts), 0)
  const begun = total(({ jobs, continued }) => jobs - continued)
  return {
    ...timesOf(whole),
    failures: counted.length - whole.length,
    readAgain: total((counts) => counts.readAgain) / total((counts) => counts.promptCharacters),
    devices: engines.map(({ jobs, continued }) => (jobs - continued) / begun),
    moved: total(({ continued }) => continued),
  }
}

export function isCounted({ at }: { at: number }): boolean {
  return at >= WARM_UP_SECONDS * 1_000
}
