// Chooses the device for a job: among those that can do it and have room, the one that is expected to answer first.

import { lacking, type FeatureMask } from './feature-mask.ts'
import { expectPromptMs } from './prompt-speed.ts'
import type { Job, Lane, ServedModel } from './state.ts'

/** How much slower a device is expected to be when nearly all its slots are taken. */
const BUSY_MS = 100
/** Devices closer than this count as equally fast: then it matters more to keep the most capable ones free. */
const EQUAL_MS = 25
/** A device that is late comes after all others, in units of `EQUAL_MS`. */
const LATE = 1e9
/** How many suitable devices are compared for one job. In a large fleet, comparing more rarely finds a better one. */
const COMPARED = 32

/** `outOfReach` remembers the features that no open device has, so that a thousand jobs that need them cost a thousand lookups. */
export function canStart(job: Job, lane: Lane, outOfReach: Set<FeatureMask>): boolean {
  if (outOfReach.has(job.features)) return false
  const avoided = avoidedDevices(job, lane)
  if (lane.open.some((served) => suits(job, served, avoided))) return true
  if (avoided === undefined && job.excluded === undefined) outOfReach.add(job.features)
  return false
}

export function chooseDevice(job: Job, lane: Lane): ServedModel | undefined {
  const choice = new Choice(job, avoidedDevices(job, lane))
  compareHolders(choice, lane, job)
  compareOpen(choice, lane)
  return choice.best
}

/** A second device for a job whose first has not answered: one that is not late itself, and has not failed the job. */
export function chooseSecond(job: Job, lane: Lane): ServedModel | undefined {
  const choice = new Choice(job, job.avoided)
  compareHolders(choice, lane, job)
  compareOpen(choice, lane)
  return choice.best?.device.isLate === true ? undefined : choice.best
}

/** Devices that hold a part of the conversation, the longest part first. */
function compareHolders(choice: Choice, lane: Lane, { ticket }: Job): void {
  for (let index = ticket.prefixes.length - 1; index >= 0; index--) {
    const { hash, size } = ticket.prefixes[index]!
    for (const served of lane.memory.holders(hash) ?? []) {
      if (choice.compared >= COMPARED) return
      if (served.openPlace >= 0) choice.compare(served, size)
    }
  }
}

// In a large fleet each search starts where the last one stopped, so that every device gets its turn.
function compareOpen(choice: Choice, lane: Lane): void {
  const { open } = lane
  const before = choice.compared
  let turn = open.length > COMPARED ? lane.turn % open.length : 0
  for (let passed = 0; passed < open.length && choice.compared - before < COMPARED; passed++) {
    choice.compare(open[turn]!, 0)
    turn = turn + 1 < open.length ? turn + 1 : 0
  }
  lane.turn = turn
}

class Choice {
  best: ServedModel | undefined
  compared = 0
  #bestTime = Number.POSITIVE_INFINITY
  readonly #job: Job
  readonly #avoided: ReadonlySet<string> | undefined

  constructor(job: Job, avoided: ReadonlySet<string> | undefined) {
    this.#job = job
    this.#avoided = avoided
  }

  /** `held` is how many characters of the prompt the device doesn't have to read again. */
  compare(served: ServedModel, held: number): void {
    if (!suits(this.#job, served, this.#avoided)) return
    this.compared += 1
    const time = expectedTime(served, this.#job.ticket.promptSize - held) + (served.device.isLate ? LATE : 0)
    if (time > this.#bestTime) return
    if (time === this.#bestTime && !precedes(served, this.best!)) return
    this.best = served
    this.#bestTime = time
  }
}

function suits(job: Job, served: ServedModel, avoided: ReadonlySet<string> | undefined): boolean {
  return isAble(job, served) && avoided?.has(served.device.id) !== true
}

// A lane only has devices of the job's organization. Checked again, because a job that reaches another organization can't be taken back.
function isAble(job: Job, served: ServedModel): boolean {
  return (
    lacking(job.features, served.features) === 0 &&
    served.device.organization === job.ticket.organization &&
    job.excluded?.has(served.device.id) !== true
  )
}

/** Devices that failed the job before, unless no other device is left. */
function avoidedDevices(job: Job, lane: Lane): ReadonlySet<string> | undefined {
  const avoided = job.avoided
  if (avoided === undefined) return undefined
  const isAlternative = (served: ServedModel) =>
    !avoided.has(served.device.id) &&
    !served.device.isDraining &&
    !served.isBackingOff &&
    served.suspect < served.slots &&
    isAble(job, served)
  return lane.served.some(isAlternative) ? avoided : undefined
}

/** In units of `EQUAL_MS`. */
function expectedTime(served: ServedModel, characters: number): number {
  const promptMs = expectPromptMs(served.msPerCharacter, Math.max(0, characters))
  return Math.floor((promptMs + BUSY_MS * (served.leased / served.slots)) / EQUAL_MS)
}

function precedes(one: ServedModel, other: ServedModel): boolean {
  if (one.featureCount !== other.featureCount) return one.featureCount < other.featureCount
  const moreFree = one.slots - one.leased - (other.slots - other.leased)
  return moreFree !== 0 ? moreFree > 0 : one.lastGrant < other.lastGrant
}
