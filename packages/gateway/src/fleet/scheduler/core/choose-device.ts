// Chooses the device for a job: among those that can do it and have room, the one that is expected to answer first.

import type { ModelFile } from '../../terms/job.ts'
import { countFeatures, lacking, toMask, type FeatureMask } from './feature-mask.ts'
import { AT, FACTS, type OpenDevices } from './open-devices.ts'
import type { QueuedJob, ModelQueue, ServedModel } from './state.ts'

const RESUME = toMask(['resume'])

/** How much slower a device is expected to be when nearly all its slots are taken. */
const BUSY_MS = 100
/** Devices closer than this count as equally fast: then it matters more to keep the most capable ones free. */
const EQUAL_MS = 25
/** A device that is late comes after all others, in units of `EQUAL_MS`. */
const LATE = 1e9
/** A device that has to load the model first comes after those that have it, but before one that is late. */
const UNLOADED = 1e7
/** How many suitable devices are compared for one job. In a large fleet, comparing more rarely finds a better one. */
const COMPARED = 12
/** How many are enough if one of them is expected to answer at once: others may be its equals, but not faster. */
const ENOUGH = 4
/** How many of those that hold the conversation: whichever is taken, it doesn't have to read it again. */
const COMPARED_HOLDERS = 8

/** `outOfReach` remembers the features that no open device has, so that a thousand jobs that need them cost a thousand lookups. */
export function hasOpenDevice(job: QueuedJob, outOfReach: Set<FeatureMask>): boolean {
  const reach = reachOf(job)
  // Jobs that may not have their model loaded are remembered apart: another job with these features may.
  const wanted = reach.mayLoad() ? job.features : ~job.features
  if (outOfReach.has(wanted)) return false
  if (job.queue.open.all.some((served) => suits(job, served, reach))) return true
  if (reach.avoided === undefined && isLikeOthers(job)) outOfReach.add(wanted)
  return false
}

/** Every device with its features can do it: it is not sealed for some of them, excludes none and continues nothing. */
export function isLikeOthers({ sealedFor, excluded, begun }: QueuedJob): boolean {
  return sealedFor === undefined && excluded === undefined && begun === undefined
}

export function chooseDevice(job: QueuedJob): ServedModel | undefined {
  return compare(job, reachOf(job))
}

/**
 * A second device for a job whose first has not answered: one that is not late itself, has not failed the job, and has the model
 * loaded. A first device that was only held up for a second is no reason to load a model elsewhere.
 */
export function chooseSecond(job: QueuedJob): ServedModel | undefined {
  const best = compare(job, { avoided: job.avoided, mayLoad: () => false })
  return best?.presence !== 'loaded' || best.device.isLate ? undefined : best
}

/** Another device for a job that is better off elsewhere: one that can take it right now, and has not failed it. */
export function chooseSuccessor(job: QueuedJob): ServedModel | undefined {
  const reach = reachOf(job)
  return reach.avoided === undefined ? undefined : compare(job, reach)
}

function compare(job: QueuedJob, reach: Reach): ServedModel | undefined {
  const choice = new Choice(job, reach)
  compareHolders(choice, job)
  compareOpen(choice, job.queue)
  return choice.best
}

/** Devices that hold a part of the conversation, the longest part first. */
function compareHolders(choice: Choice, { ticket, queue }: QueuedJob): void {
  for (let index = ticket.prefixes.length - 1; index >= 0; index--) {
    const { hash, size } = ticket.prefixes[index]!
    for (const { openPlace } of queue.memory.holders(hash) ?? []) {
      if (choice.compared >= COMPARED_HOLDERS) return
      if (openPlace >= 0) choice.compare(openPlace, size)
    }
  }
}

// In a large fleet each search starts where the last one stopped, so that every device gets its turn.
function compareOpen(choice: Choice, queue: ModelQueue): void {
  const { open } = queue
  const { length } = open.all
  const before = choice.compared
  let turn = length > ENOUGH ? open.turn % length : 0
  for (let passed = 0; passed < length; passed++) {
    if (choice.compared >= before + (choice.hasInstant ? ENOUGH : COMPARED)) break
    choice.compare(turn, 0)
    turn = turn + 1 < length ? turn + 1 : 0
  }
  open.turn = turn
}

class Choice {
  compared = 0
  /** In `open`, or -1. */
  #best = -1
  #bestTime = Number.POSITIVE_INFINITY
  readonly #job: QueuedJob
  readonly #open: OpenDevices<ServedModel>
  readonly #reach: Reach
  /** Every loaded device with its features will do, so there is nothing more to look at. */
  readonly #isEasy: boolean

  constructor(job: QueuedJob, reach: Reach) {
    this.#job = job
    this.#open = job.queue.open
    this.#reach = reach
    this.#isEasy = reach.avoided === undefined && isLikeOthers(job)
  }

  get best(): ServedModel | undefined {
    return this.#open.all[this.#best]
  }

  get hasInstant(): boolean {
    return this.#bestTime === 0
  }

  /** `held` is how many characters of the prompt the device doesn't have to read again. */
  compare(place: number, held: number): void {
    const { features, ticket } = this.#job
    const { facts, all } = this.#open
    const at = place * FACTS
    if (lacking(features, facts[at + AT.features]!) !== 0) return
    const delay = facts[at + AT.delay]!
    if ((!this.#isEasy || delay > 0) && !suits(this.#job, all[place]!, this.#reach)) return
    this.compared += 1
    const unread = Math.max(0, ticket.promptSize - held)
    const readMs = facts[at + AT.readMs]! + facts[at + AT.msPerCharacter]! * unread
    const busyMs = BUSY_MS * (facts[at + AT.leased]! / facts[at + AT.slots]!)
    const time = Math.floor((readMs + busyMs) / EQUAL_MS) + delay
    if (time > this.#bestTime) return
    if (time === this.#bestTime && !precedes(facts, at, this.#best * FACTS)) return
    this.#best = place
    this.#bestTime = time
  }
}

function suits(job: QueuedJob, served: ServedModel, reach: Reach): boolean {
  return isAble(job, served) && (isPresent(served) || reach.mayLoad()) && reach.avoided?.has(served.device.id) !== true
}

export function isAble(job: QueuedJob, served: ServedModel): boolean {
  return (
    lacking(job.features, served.features) === 0 &&
    isSealedFor(job, served) &&
    job.excluded?.has(served.device.id) !== true &&
    (job.begun === undefined || canContinue(job.begun, served))
  )
}

/** Devices that a sealed job was not sealed for can't open it. */
function isSealedFor({ sealedFor }: QueuedJob, { device }: ServedModel): boolean {
  return sealedFor === undefined || sealedFor.has(device.id)
}

/** Only the same file computes the same text from the same tokens. With less context, the reply could not be as long. */
function canContinue(begun: ModelFile, { digest, contextLength, features }: ServedModel): boolean {
  return digest === begun.digest && contextLength >= begun.contextLength && lacking(RESUME, features) === 0
}

/** The file whose tokens the device can report; undefined if it can't. */
export function reportedFile({ digest, contextLength, features }: ServedModel): ModelFile | undefined {
  return digest === undefined || lacking(RESUME, features) !== 0 ? undefined : { digest, contextLength }
}

/** A device could do the job, even if it takes none right now. */
export function hasDevice(job: QueuedJob): boolean {
  return job.queue.served.some((served) => !served.device.isDraining && isAble(job, served))
}

/** The model is in memory, or the device is loading it for another job: a slot for it is not far away. */
export function isPresent(served: ServedModel): boolean {
  return served.presence !== 'loadable' || served.leased > 0
}

/** Which devices a job may go to. */
interface Reach {
  /** Devices that failed the job before, unless no other device is left. */
  avoided: ReadonlySet<string> | undefined
  /** False while it is better to wait for a device that has the model than to have another one load it. Seldom asked: most have it. */
  mayLoad: () => boolean
}

function reachOf(job: QueuedJob): Reach {
  const { queue } = job
  const avoided = avoidedDevices(job, queue)
  const isNear = (served: ServedModel) =>
    isPresent(served) && !served.device.isLate && isAlternative(job, served, avoided)
  return { avoided, mayLoad: () => job.isImpatient || !queue.served.some(isNear) }
}

function avoidedDevices(job: QueuedJob, queue: ModelQueue): ReadonlySet<string> | undefined {
  const { avoided } = job
  if (avoided === undefined) return undefined
  return queue.served.some((served) => isAlternative(job, served, avoided)) ? avoided : undefined
}

/** The device could take the job, now or once it has a free slot. */
function isAlternative(job: QueuedJob, served: ServedModel, avoided: ReadonlySet<string> | undefined): boolean {
  return (
    avoided?.has(served.device.id) !== true &&
    !served.device.isDraining &&
    !served.isBackingOff &&
    served.suspect < served.slots &&
    isAble(job, served)
  )
}

/** What `Choice` compares. */
export function noteFacts(served: ServedModel): void {
  const { pace, leased, slots, features, lastLease, openPlace, queue } = served
  const { facts } = queue.open
  const at = openPlace * FACTS
  facts[at + AT.readMs] = pace.reading.start
  facts[at + AT.msPerCharacter] = pace.reading.slope
  facts[at + AT.leased] = leased
  facts[at + AT.slots] = slots
  facts[at + AT.features] = features
  facts[at + AT.delay] = delayOf(served)
  facts[at + AT.lastLease] = lastLease
}

/** In units of `EQUAL_MS`: until it has the model, and because it is late. A device that already loads the model is halfway there. */
function delayOf(served: ServedModel): number {
  const late = served.device.isLate ? LATE : 0
  if (served.presence === 'loaded') return late
  return late + UNLOADED + Math.floor(served.loadMs / (isPresent(served) ? 2 : 1) / EQUAL_MS)
}

function precedes(facts: Float64Array, one: number, other: number): boolean {
  const fewer = countFeatures(facts[other + AT.features]!) - countFeatures(facts[one + AT.features]!)
  if (fewer !== 0) return fewer > 0
  const moreFree =
    facts[one + AT.slots]! - facts[one + AT.leased]! - (facts[other + AT.slots]! - facts[other + AT.leased]!)
  return moreFree !== 0 ? moreFree > 0 : facts[one + AT.lastLease]! < facts[other + AT.lastLease]!
}
