// Rounds of one fault under load. After each, every slot of every device has to be free again.

import type { SentRequest } from './sent-request.ts'
import type { ChaosWorld } from './chaos-world.ts'
import type { Fault } from './faults.ts'
import { Stage, type Measures } from './stage.ts'

export interface RoundResult {
  fault: Fault
  measures: Measures
  /** How many requests ended in each way. */
  ends: Map<string, number>
  problems: string[]
}

const CLIENTS = 8
/** A slot that is not free by then is lost. */
const FULL_HOUSE_MS = 30_000

export async function runRound(world: ChaosWorld, fault: Fault): Promise<RoundResult> {
  await world.allAgree()
  const stage = new Stage(world, CLIENTS)
  const measures = await fault.run(stage)
  await stage.replaceKilled()
  await stage.load.stop()
  await Promise.all(stage.asked.map(({ asked }) => asked.ended))
  const missing = await fillAllSlots(stage)
  const ends = new Map<string, number>()
  for (const { asked } of stage.asked) ends.set(nameOf(asked), (ends.get(nameOf(asked)) ?? 0) + 1)
  const problems = [...world.problems.splice(0), ...missing, ...judge(stage, fault)]
  return { fault, measures, ends, problems }
}

/** One request for every slot, all at once: each has to get its device. */
async function fillAllSlots(stage: Stage): Promise<string[]> {
  const { world } = stage
  await world.placeDevices(world.gateways)
  const gate = Promise.withResolvers<void>()
  const count = world.devices.length * world.slots
  const asked = Array.from({ length: count }, (_, index) => stage.hold(index % world.gateways.length, gate.promise))
  const timer = setTimeout(gate.resolve, FULL_HOUSE_MS)
  await Promise.race([Promise.all(asked.map(({ first }) => first)), gate.promise])
  clearTimeout(timer)
  const missing = asked.filter(({ arrivals }) => arrivals.length === 0).length
  gate.resolve()
  await Promise.all(asked.map(({ ended }) => ended))
  return missing === 0 ? [] : [`${missing} of ${count} slots were not free after the round`]
}

function judge(stage: Stage, { allowsErrors }: Fault): string[] {
  const isAllowed = (asked: SentRequest, gateway: number) => {
    if (asked.end?.kind === 'done') return true
    if (asked.end?.kind === 'broken') return stage.killed.has(gateway)
    return allowsErrors && asked.end?.kind !== 'wrong'
  }
  return stage.asked
    .filter(({ asked, gateway }) => !isAllowed(asked, gateway))
    .map(({ asked, gateway }) => `${asked.question.name} at gateway ${gateway}: ${nameOf(asked)}`)
}

function nameOf({ end }: SentRequest): string {
  if (end === undefined) return 'open'
  switch (end.kind) {
    case 'failed':
      return `failed: ${end.code}`
    case 'rejected':
      return `${end.status} ${end.code}`
    case 'wrong':
      return `wrong: ${end.what}`
    case 'done':
    case 'broken':
      return end.kind
    default:
      return end satisfies never
  }
}
