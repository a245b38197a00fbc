// Chooses the device for a job: among those that can do it and have room, the one that is expected to answer first.

import { canContinue } from './continuation.ts'
import { lacking, type FeatureMask } from '../state/feature-mask.ts'
import { expectPromptMs } from '../state/prompt-speed.ts'
import type { Job, Lane, ServedModel } from '../state/state.ts'
import type { ModelFile } from '../../../terms/job.ts'

/** How much slower a device is expected to be when nearly all its slots are taken. */
const BUSY_MS = 100
/** Devices closer than this count as equally fast: then it matters more to keep the most capable ones free. */
const EQUAL_MS = 25
/** A device that is late comes after all others, in units of `EQUAL_MS`. */
const LATE = 1e9
/** A device that has to load the model first comes after those that have it, but before one that is late. */
const UNLOADED = 1e7
/** How many suitable devices are compared for one job. In a large fleet, comparing more rarely finds a better one. */
const COMPARED = 32
/** How many are enough if one of them is expected to answer at once: others may be its equals, but not faster. */
const ENOUGH = 8
/** How many of those that hold the conversation: whichever is taken, it doesn't have to read it again. */
const COMPARED_HOLDERS = 8

/** `outOfReach` remembers the features that no open device has, so that a thousand jobs that need them cost a thousand lookups. */
export function canStart(job: Job, lane: Lane, outOfReach: Set<FeatureMask>): boolean {
  const reach = reachOf(job, lane)
  // Jobs that may not have their model loaded are remembered apart: another job with these features may.
  const wanted = reach.mayLoad ? job.features : ~job.features
  if (outOfReach.has(wanted)) return false
  if (lane.open.some((served) => suits(job, served, reach))) return true
  if (reach.avoided === undefined && isLikeOthers(job)) outOfReach.add(wanted)
  return false
}

/** Every device with its features can do it: it is not sealed for some of them, excludes none and continues nothing. */
export function isLikeOthers({ sealedFor, excluded, course }: Job): boolean {
  return sealedFor === undefined && excluded === undefined && course.begun === undefined
}

export function chooseDevice(job: Job, lane: Lane): ServedModel | undefined {
  const choice = new Choice(job, reachOf(job, lane))
  compareHolders(choice, lane, job)
  compareOpen(choice, lane)
  return choice.best
}

/**
 * A second device for a job whose first has not answered: one that is not late itself, has not failed the job, and has the model
 * loaded. A first device that was only held up for a second is no reason to load a model elsewhere.
 */
export function chooseSecond(job: Job, lane: Lane): ServedModel | undefined {
  const choice = new Choice(job, { avoided: job.avoided, mayLoad: false })
  compareHolders(choice, lane, job)
  compareOpen(choice, lane)
  const { best } = choice
  return best?.presence !== 'loaded' || best.device.isLate ? undefined : best
}

/** Devices that hold a part of the conversation, the longest part first. */
function compareHolders(choice: Choice, lane: Lane, { ticket }: Job): void {
  for (let index = ticket.prefixes.length - 1; index >= 0; index--) {
    const { hash, size } = ticket.prefixes[index]!
    for (const served of lane.memory.holders(hash) ?? []) {
      if (choice.compared >= COMPARED_HOLDERS) return
      if (served.openPlace >= 0) choice.compare(served, size)
    }
  }
}

// In a large fleet each search starts where the last one stopped, so that every device gets its turn.
function compareOpen(choice: Choice, lane: Lane): void {
  const { open } = lane
  const before = choice.compared
  const limit = () => before + (choice.hasInstant ? ENOUGH : COMPARED)
  let turn = open.length > ENOUGH ? lane.turn % open.length : 0
  for (let passed = 0; passed < open.length && choice.compared < limit(); passed++) {
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
  readonly #reach: Reach

  constructor(job: Job, reach: Reach) {
    this.#job = job
    this.#reach = reach
  }

  get hasInstant(): boolean {
    return this.#bestTime === 0
  }

  /** `held` is how many characters of the prompt the device doesn't have to read again. */
  compare(served: ServedModel, held: number): void {
    if (!suits(this.#job, served, this.#reach)) return
    this.compared += 1
    const characters = this.#job.ticket.promptSize - held
    const time = expectedTime(served, characters) + loadTime(served) + (served.device.isLate ? LATE : 0)
    if (time > this.#bestTime) return
    if (time === this.#bestTime && !precedes(served, this.best!)) return
    if (!isOwn(this.#job, served)) return
    this.best = served
    this.#bestTime = time
  }
}

function suits(job: Job, served: ServedModel, { avoided, mayLoad }: Reach): boolean {
  return isAble(job, served) && (mayLoad || isPresent(served)) && avoided?.has(served.device.id) !== true
}

// A lane only has devices of the job's organization. Checked again, because a job that reaches another organization can't be taken back.
function isOwn({ ticket }: Job, { device }: ServedModel): boolean {
  return device.organization === ticket.organization
}

export function isAble(job: Job, served: ServedModel): boolean {
  return (
    lacking(job.features, served.features) === 0 &&
    isSealedFor(job, served) &&
    job.excluded?.has(served.device.id) !== true &&
    (job.course.begun === undefined || canContinue(job.course.begun, served))
  )
}

/** Devices that a sealed job was not sealed for can't open it. */
function isSealedFor({ sealedFor }: Job, { device }: ServedModel): boolean {
  return sealedFor === undefined || sealedFor.has(device.id)
}

/** A device could take the job, now or once it has a free slot. */
export function hasDevice(job: Job, { served }: Lane): boolean {
  return served.some((one) => isAlternative(job, one, undefined))
}

/** Another device that has not failed the job could take it right now, and continue what `begun` drew. */
export function hasSuccessor(job: Job, begun: ModelFile | undefined, device: string): boolean {
  const { lane } = job
  const next: Job = { ...job, course: { ...job.course, begun }, avoided: new Set(job.avoided).add(device) }
  const reach = reachOf(next, lane)
  return reach.avoided !== undefined && lane.open.some((served) => suits(next, served, reach))
}

/** The model is in memory, or the device is loading it for another job: a slot for it is not far away. */
export function isPresent(served: ServedModel): boolean {
  return served.presence !== 'loadable' || served.leased > 0
}

/** Which devices a job may go to. */
interface Reach {
  /** Devices that failed the job before, unless no other device is left. */
  avoided: ReadonlySet<string> | undefined
  /** False while it is better to wait for a device that has the model than to have another one load it. */
  mayLoad: boolean
}

function reachOf(job: Job, lane: Lane): Reach {
  const avoided = avoidedDevices(job, lane)
  const isNear = (served: ServedModel) =>
    isPresent(served) && !served.device.isLate && isAlternative(job, served, avoided)
  return { avoided, mayLoad: job.isImpatient || !lane.served.some(isNear) }
}

function avoidedDevices(job: Job, lane: Lane): ReadonlySet<string> | undefined {
  const { avoided } = job
  if (avoided === undefined) return undefined
  return lane.served.some((served) => isAlternative(job, served, avoided)) ? avoided : undefined
}

/** The device could take the job, now or once it has a free slot. */
function isAlternative(job: Job, served: ServedModel, avoided: ReadonlySet<string> | undefined): boolean {
  return (
    avoided?.has(served.device.id) !== true &&
    !served.device.isDraining &&
    !served.isBackingOff &&
    served.suspect < served.slots &&
    isAble(job, served)
  )
}

/** In units of `EQUAL_MS`. A device that already loads the model is halfway there. */
function loadTime(served: ServedModel): number {
  if (served.presence === 'loaded') return 0
  return UNLOADED + Math.floor(served.loadMs / (isPresent(served) ? 2 : 1) / EQUAL_MS)
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
