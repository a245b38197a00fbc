// Chooses the device for a job: among those that can do it and have room, the one where it is expected to end first.

import type { ModelFile, Ms } from '../../terms/job.ts'
import { countFeatures, lacking, toMask, type FeatureMask } from './feature-mask.ts'
import { expectedTokens, writingWeight } from './expected-times.ts'
import { AT, FACTS, type SpeedGroup } from './speed-groups.ts'
import type { QueuedJob, ModelQueue, ServedModel } from './state.ts'

const RESUME = toMask(['resume'])

/** Ends closer than this part of them count as equal: then it matters more to keep the most capable devices free. */
const EQUAL = 0.05
/** A device that is late comes after all others, in milliseconds. */
const LATE = 1e11
/** A device that has to load the model first comes after those that have it, but before one that is late. */
const UNLOADED = 1e9
/** How many suitable devices are compared for one job. In a large fleet, comparing more rarely finds a better one. */
const COMPARED = 12
/** How many of a group are enough if one of them has nothing to do: others may be its equals, but hardly faster. */
const ENOUGH = 4
/** How many of those that hold the conversation: whichever is taken, it doesn't have to read it again. */
const COMPARED_HOLDERS = 8

/** `outOfReach` remembers the features that no open device has, so that a thousand jobs that need them cost a thousand lookups. */
export function hasOpenDevice(job: QueuedJob, outOfReach: Set<FeatureMask>): boolean {
  const reach = reachOf(job)
  // Jobs that may not have their model loaded are remembered apart: another job with these features may.
  const wanted = reach.mayLoad() ? job.features : ~job.features
  if (outOfReach.has(wanted)) return false
  if (hasOpen(job, (served) => suits(job, served, reach))) return true
  if (reach.avoided === undefined && isLikeOthers(job)) outOfReach.add(wanted)
  return false
}

function hasOpen({ queue: { open } }: QueuedJob, isSuitable: (served: ServedModel) => boolean): boolean {
  for (let rest = open.filled; rest !== 0; rest &= rest - 1) if (open.fastest(rest).all.some(isSuitable)) return true
  return false
}

/** Every device with its features can do it: it is not sealed for some of them, excludes none and continues nothing. */
export function isLikeOthers({ sealedFor, excluded, begun }: QueuedJob): boolean {
  return sealedFor === undefined && excluded === undefined && begun === undefined
}

export function chooseDevice(job: QueuedJob): Choice {
  return compare(job, reachOf(job))
}

/**
 * A second device for a job whose first has not answered: one that is not late itself, has not failed the job, and has the model
 * loaded. A first device that was only held up for a second is no reason to load a model elsewhere.
 */
export function chooseSecond(job: QueuedJob): ServedModel | undefined {
  const { best } = compare(job, { avoided: job.avoided, mayLoad: () => false })
  return best?.presence !== 'loaded' || best.device.isLate ? undefined : best
}

/** Another device for a job that is better off elsewhere: one that can take it right now, and has not failed it. */
export function chooseSuccessor(job: QueuedJob): ServedModel | undefined {
  const reach = reachOf(job)
  return reach.avoided === undefined ? undefined : compare(job, reach).best
}

function compare(job: QueuedJob, reach: Reach): Choice {
  const choice = new Choice(job, reach)
  compareHolders(choice, job)
  compareOpen(choice, job.queue)
  return choice
}

/** Devices that hold a part of the conversation, the longest part first. */
function compareHolders(choice: Choice, { ticket, queue }: QueuedJob): void {
  for (let index = ticket.prefixes.length - 1; index >= 0; index--) {
    const { hash, size } = ticket.prefixes[index]!
    for (const served of queue.memory.holders(hash) ?? []) {
      if (choice.compared >= COMPARED_HOLDERS) return
      if (served.listedIn === queue.open) choice.compare(served.group!, served.groupPlace, size)
    }
  }
}

/** From the fastest on, until slower ones can't be better. */
function compareOpen(choice: Choice, { open }: ModelQueue): void {
  const most = choice.compared + COMPARED
  for (let rest = open.filled; rest !== 0 && choice.compared < most; rest &= rest - 1) {
    const group = open.fastest(rest)
    if (choice.isAsGood(group.least)) return
    compareGroup(choice, group, most)
  }
}

// In a large fleet each search starts where the last one stopped, so that every device gets its turn.
function compareGroup(choice: Choice, group: SpeedGroup<ServedModel>, most: number): void {
  const { length } = group.all
  const before = choice.compared
  let turn = length > ENOUGH ? group.turn % length : 0
  for (let passed = 0; passed < length && choice.compared < most; passed++) {
    if (choice.isIdle && choice.compared >= before + ENOUGH) break
    choice.compare(group, turn, 0)
    turn = turn + 1 < length ? turn + 1 : 0
  }
  group.turn = turn
}

export class Choice {
  compared = 0
  /** The expected time to the end on the best device, with a late one or one without the model far behind. */
  time = Number.POSITIVE_INFINITY
  /** Tokens of the answer, as far as the time that they take counts. */
  readonly tokens: number
  #group: SpeedGroup<ServedModel> | undefined
  #place = -1
  readonly #job: QueuedJob
  readonly #reach: Reach
  /** Every loaded device with its features will do, so there is nothing more to look at. */
  readonly #isEasy: boolean

  constructor(job: QueuedJob, reach: Reach) {
    this.#job = job
    this.#reach = reach
    this.#isEasy = reach.avoided === undefined && isLikeOthers(job)
    this.tokens = expectedTokens(job.queue, job.ticket) * writingWeight(job.ticket)
  }

  get best(): ServedModel | undefined {
    return this.#group?.all[this.#place]
  }

  /** The best one has nothing else to do. */
  get isIdle(): boolean {
    return this.#group !== undefined && this.#group.facts[this.#place * FACTS + AT.leased] === 0
  }

  /** The best one has the model and is not late. */
  get isReady(): boolean {
    return this.time < UNLOADED
  }

  /** No device that takes this long for a token could be better. */
  isAsGood(msPerToken: number): boolean {
    return this.time * (1 + EQUAL) < msPerToken * this.tokens
  }

  /** `held` is how many characters of the prompt the device doesn't have to read again. */
  compare(group: SpeedGroup<ServedModel>, place: number, held: number): void {
    const { features, ticket } = this.#job
    const { facts, all } = group
    const at = place * FACTS
    if (lacking(features, facts[at + AT.features]!) !== 0) return
    const delay = facts[at + AT.delay]!
    if ((!this.#isEasy || delay > 0) && !suits(this.#job, all[place]!, this.#reach)) return
    this.compared += 1
    const unread = Math.max(0, ticket.promptSize - held)
    const time =
      delay +
      facts[at + AT.readMs]! +
      facts[at + AT.msPerCharacter]! * unread +
      facts[at + AT.msPerToken]! * this.tokens
    if (time > this.time * (1 + EQUAL)) return
    const isEqual = this.time < time * (1 + EQUAL)
    if (isEqual && !precedes(facts, at, this.#group!.facts, this.#place * FACTS)) return
    this.#group = group
    this.#place = place
    this.time = Math.min(this.time, time)
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
export function noteFacts(served: ServedModel, msPerToken: Ms): void {
  const { pace, leased, slots, features, lastLease, group, groupPlace } = served
  const { facts } = group!
  const at = groupPlace * FACTS
  facts[at + AT.readMs] = pace.reading.start
  facts[at + AT.msPerCharacter] = pace.reading.slope
  facts[at + AT.msPerToken] = msPerToken
  facts[at + AT.leased] = leased
  facts[at + AT.slots] = slots
  facts[at + AT.features] = features
  facts[at + AT.delay] = delayOf(served)
  facts[at + AT.lastLease] = lastLease
}

/** Until it has the model, and because it is late. A device that already loads the model is halfway there. */
function delayOf(served: ServedModel): number {
  const late = served.device.isLate ? LATE : 0
  if (served.presence === 'loaded') return late
  return late + UNLOADED + served.loadMs / (isPresent(served) ? 2 : 1)
}

function precedes(facts: Float64Array, one: number, otherFacts: Float64Array, other: number): boolean {
  const fewer = countFeatures(otherFacts[other + AT.features]!) - countFeatures(facts[one + AT.features]!)
  if (fewer !== 0) return fewer > 0
  const moreFree =
    facts[one + AT.slots]! - facts[one + AT.leased]! - (otherFacts[other + AT.slots]! - otherFacts[other + AT.leased]!)
  return moreFree !== 0 ? moreFree > 0 : facts[one + AT.lastLease]! < otherFacts[other + AT.lastLease]!
}
