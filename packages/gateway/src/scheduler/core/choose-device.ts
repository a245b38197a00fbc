// Which device gets a job: one that can do it and has room, and among those the one that is expected to answer first.

import { lacking } from './feature-mask.ts'
import { expectPromptMs } from './prompt-speed.ts'
import type { Job, Lane, ServedModel } from './state.ts'
import type { Ms } from './types.ts'

/** What a device with all slots but one taken is slower by. */
const BUSY_MS = 100
/** Suitable devices compared for one job. More would not find a better one often enough to be worth the time in a large fleet. */
const COMPARED = 32
/** Expectations closer than this are equal: then it matters more to keep the capable devices free. */
const EQUAL_MS = 25

export function canStart(job: Job, lane: Lane, now: Ms): boolean {
  const avoided = avoidedDevices(job, lane, now)
  return lane.served.some((served) => hasRoom(served, now) && suits(job, served, avoided))
}

export function chooseDevice(job: Job, lane: Lane, now: Ms): ServedModel | undefined {
  const avoided = avoidedDevices(job, lane, now)
  const { promptSize, prefixes } = job.ticket
  let best: ServedModel | undefined
  let bestTime = Number.POSITIVE_INFINITY
  let compared = 0
  const consider = (served: ServedModel, held: number) => {
    if (!hasRoom(served, now) || !suits(job, served, avoided)) return
    compared += 1
    const time = expectedTime(served, promptSize - held)
    if (best !== undefined && (time > bestTime || (time === bestTime && !precedes(served, best)))) return
    best = served
    bestTime = time
  }
  const { served: all } = lane
  let turn = all.length > COMPARED ? lane.turn % all.length : 0
  for (let passed = 0; passed < all.length && compared < COMPARED; passed++) {
    consider(all[turn]!, 0)
    turn = turn + 1 < all.length ? turn + 1 : 0
  }
  // The next look goes on where this one stopped, so that in a large fleet every device has its turn.
  lane.turn = turn
  compared = 0
  for (let index = prefixes.length - 1; index >= 0 && compared < COMPARED; index--)
    for (const served of lane.memory.holders(prefixes[index]!.hash) ?? []) {
      consider(served, prefixes[index]!.size)
      if (compared >= COMPARED) break
    }
  return best
}

function hasRoom(served: ServedModel, now: Ms): boolean {
  return served.leased < served.slots && served.backoffUntil <= now && !served.device.isDraining
}

function suits(job: Job, served: ServedModel, avoided: ReadonlySet<string> | undefined): boolean {
  return isAble(job, served) && avoided?.has(served.device.id) !== true
}

// The lane already holds only devices of the job's organization; a job that reached a stranger would be past repair, so it is asked again.
function isAble(job: Job, served: ServedModel): boolean {
  return (
    lacking(job.features, served.features) === 0 &&
    served.device.organization === job.ticket.organization &&
    job.excluded?.has(served.device.id) !== true
  )
}

/** Devices that failed the job before, unless only they are left. */
function avoidedDevices(job: Job, lane: Lane, now: Ms): ReadonlySet<string> | undefined {
  const avoided = job.avoided
  if (avoided === undefined) return undefined
  const isAlternative = (served: ServedModel) =>
    !avoided.has(served.device.id) &&
    !served.device.isDraining &&
    served.backoffUntil <= now &&
    served.suspect < served.slots &&
    isAble(job, served)
  return lane.served.some(isAlternative) ? avoided : undefined
}

function expectedTime(served: ServedModel, characters: number): number {
  const promptMs = expectPromptMs(served.msPerCharacter, Math.max(0, characters))
  return Math.floor((promptMs + BUSY_MS * (served.leased / served.slots)) / EQUAL_MS)
}

function precedes(one: ServedModel, other: ServedModel): boolean {
  if (one.featureCount !== other.featureCount) return one.featureCount < other.featureCount
  const moreFree = one.slots - one.leased - (other.slots - other.leased)
  return moreFree !== 0 ? moreFree > 0 : one.lastGrant < other.lastGrant
}
