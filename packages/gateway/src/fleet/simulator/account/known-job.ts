// A job as its client, the front and the scheduler should know it, and the promises about it: what the client gets has no gaps, its end comes
// once and for a reason, and its tokens are counted right.

import { estimateTokens, type Failure, type Outcome } from '@hearth/chat'
import { toMask, type FeatureMask } from '../../scheduler/core/feature-mask.ts'
import type { JobRecord } from '../../jobs/job-record.ts'
import type { ModelFile, Ms, Ticket, TokenCount } from '../../terms/job.ts'
import type { FleetLimits } from '../../roles.ts'
import { demand } from '../violation.ts'
import type { Start } from '../../terms/messages.ts'
import type { KnownDevice, Served } from './known-device.ts'

const NO_TOKENS: TokenCount = { prompt: 0, completion: 0 }
const RESUME = toMask(['resume'])

/** One attempt as the scheduler and the front should know it. */
export class KnownAttempt {
  readonly reporter: Start
  readonly job: KnownJob
  readonly device: KnownDevice
  readonly served: Served
  readonly offeredAt: Ms
  readonly answerBy: Ms
  lastSignAt: Ms
  /** Its device has it. */
  isStarted = false
  isAccepted = false
  isEnded = false
  isCancelled = false
  /** The device left an event out. */
  isFaulty = false
  /** The device loads the model first, as far as it said. */
  isLoading = false
  /** The device has not answered in the usual time. */
  isLate = false
  /** The model file that its tokens come from, if the device reports them. */
  readonly file: ModelFile | undefined
  promptTokens: number
  deliveredTokens = 0
  endTokens: TokenCount | undefined

  constructor(reporter: Start, job: KnownJob, device: KnownDevice, isRecorded: boolean, now: Ms, acceptMs: Ms) {
    this.reporter = reporter
    this.job = job
    this.device = device
    this.served = device.served.get(job.ticket.model)!
    const { digest, contextLength } = this.served
    this.file = isRecorded && digest !== undefined ? { digest, contextLength } : undefined
    this.promptTokens = Math.ceil(estimateTokens(job.ticket.promptSize))
    this.offeredAt = this.lastSignAt = now
    this.answerBy = Math.min(now + acceptMs, job.waitUntil, job.totalUntil, job.returnUntil)
  }
}

export class KnownJob {
  readonly hidden: number
  readonly ticket: Ticket
  readonly features: FeatureMask
  readonly submittedAt: Ms
  readonly #limits: FleetLimits
  /** The attempts that work for this client, as far as the scheduler can know: a second one only while the first has not answered. */
  tries: readonly KnownAttempt[] = []
  /** Offers that another device beat: they have to be canceled at once. */
  #beaten: readonly KnownAttempt[] = []
  attempts = 0
  losses = 0
  crashes = 0
  /** Events of the current attempt. */
  received = 0
  /** Events of the current attempt and of those that it continues. */
  #have = 0
  /** The model file that drew them; undefined if they can't be continued. */
  #begun: ModelFile | undefined
  #begunTokens = 0
  /** The attempt that was lost last, until there is another one. */
  #lost: KnownAttempt | undefined
  /** The gateway has not decided yet what follows. */
  #isJustLost = false
  #lostAt: Ms = Number.POSITIVE_INFINITY
  /** Until when it may wait for a device to come back. */
  returnUntil: Ms = Number.POSITIVE_INFINITY
  waitUntil: Ms
  totalUntil = Number.POSITIVE_INFINITY
  isFinished = false
  isAdmitted = false
  /** Outcomes that something in the world has justified. */
  readonly allowed: Outcome['kind'][] = ['queue-full', 'unsupported']
  /** Devices that lost or failed it: others come first. */
  readonly failedOn: string[] = []
  /** Devices that said they can't do it: they are never asked again. */
  readonly excluded: string[] = []
  isModelClosed = false
  outcome: Outcome['kind'] | undefined

  /** The first `hidden` events show nothing: the model thinks. */
  constructor(ticket: Ticket, hidden: number, limits: FleetLimits, now: Ms) {
    this.hidden = hidden
    this.ticket = ticket
    this.features = toMask(ticket.features)
    this.submittedAt = now
    this.#limits = limits
    this.waitUntil = now + limits.waitMs
  }

  /** A sealed job can be opened by some devices only. */
  isFor(device: string): boolean {
    return this.ticket.sealedFor?.includes(device) ?? true
  }

  get isWaiting(): boolean {
    return !this.isFinished && this.tries.length === 0
  }

  holds(attempt: KnownAttempt): boolean {
    return this.tries.includes(attempt)
  }

  /** Its only device is late, so it should have a second one. */
  get needsSecond(): boolean {
    const [first, second] = this.tries
    return !this.isModelClosed && first !== undefined && second === undefined && !first.isAccepted && first.isLate
  }

  offered(attempt: KnownAttempt, isContinued: boolean, now: Ms): void {
    demand(!this.isFinished, () => `${this.ticket.job} was offered after its end`)
    demand(this.isWaiting || this.needsSecond, () => `${this.ticket.job} runs twice at once`)
    demand(attempt.reporter.attempt === this.attempts + 1, () => `${this.ticket.job} skips an attempt number`)
    if (isContinued) this.#checkContinued(attempt)
    else if (this.isWaiting) this.#startOver()
    demand(this.losses < this.#limits.attempts, () => `${this.ticket.job} is tried after ${this.losses} losses`)
    demand(this.crashes < this.#limits.crashes, () => `${this.ticket.job} is tried after ${this.crashes} crashes`)
    const { device } = attempt.reporter
    demand(!this.excluded.includes(device), () => `${this.ticket.job} was offered to ${device}, which can't do it`)
    demand(!this.isModelClosed, () => `${this.ticket.job} is started although its model is disabled`)
    demand(now <= this.waitUntil && now <= this.totalUntil, () => `${this.ticket.job} was offered after its deadline`)
    this.#lost = undefined
    this.received = 0
    this.tries = [...this.tries, attempt]
    this.attempts += 1
  }

  accepted(attempt: KnownAttempt, now: Ms): void {
    attempt.isAccepted = true
    this.#beaten = this.tries.filter((other) => other !== attempt)
    this.tries = [attempt]
    this.totalUntil = Math.min(this.totalUntil, now + this.#limits.totalMs)
    this.returnUntil = Number.POSITIVE_INFINITY
    if (this.#begun !== undefined) this.waitUntil = Math.max(this.waitUntil, now + this.#limits.waitMs)
  }

  /** Returns true if the client has to get it. */
  takes(attempt: KnownAttempt, sequence: number, tokens: number): boolean {
    if (!this.holds(attempt) || sequence !== this.received) return false
    attempt.isLoading = false
    attempt.deliveredTokens += tokens
    this.received += 1
    this.#have += 1
    return this.hasShown
  }

  restarted(): void {
    demand(this.ticket.rerunnable, () => `${this.ticket.job} restarted although it streams`)
    demand(!this.isFinished && this.hasShown, () => `${this.ticket.job} restarted for nothing`)
    this.#have = 0
  }

  /** The client knows, or has nothing of it yet. */
  #startOver(): void {
    demand(!this.hasShown, () => `${this.ticket.job} runs again although events were delivered`)
    this.received = 0
    this.#have = 0
    this.#begun = undefined
    this.#begunTokens = 0
  }

  // The client has a part of the reply: the same file has to continue it, from tokens that were reported.
  #checkContinued({ served, file, reporter }: KnownAttempt): void {
    const { job } = this.ticket
    const { digest, contextLength } = served
    demand(this.#begun !== undefined, () => `${job} runs again although events were delivered`)
    demand(digest === this.#begun?.digest, () => `${job} is continued by ${reporter.device}, which has another file`)
    demand(contextLength >= (this.#begun?.contextLength ?? 0), () => `${job} is continued where there is less context`)
    demand(file !== undefined, () => `${job} is continued by ${reporter.device}, which is not asked to`)
    this.#begunTokens += this.#lost?.deliveredTokens ?? 0
  }

  /** Whether this device could continue what the client has, if it has anything. */
  couldRunOn({ digest, contextLength, features }: Served): boolean {
    if (this.#begun === undefined) return true
    const { digest: wanted, contextLength: least } = this.#begun
    return digest === wanted && contextLength >= least && (features & RESUME) !== 0
  }

  get hasShown(): boolean {
    return this.#have > this.hidden
  }

  /** The attempt is over without an end. */
  lost(attempt: KnownAttempt, now: Ms, isFault: boolean): void {
    if (!this.holds(attempt)) return
    this.putBack(attempt)
    this.#begun ??= this.received > 0 ? attempt.file : undefined
    const continues = this.#begun !== undefined
    // A device that was only interrupted may continue when it is back.
    if (!continues || isFault) this.failedOn.push(attempt.reporter.device)
    if (!attempt.isAccepted) return
    this.losses = continues && this.received > 0 ? 1 : this.losses + 1
    if (!attempt.isLoading) this.#lost = attempt
    this.#isJustLost = true
    this.#lostAt = now
    const { waitMs, acceptMs } = this.#limits
    // The wait of a whole reply is counted from its request, whatever was delivered: its client has nothing yet.
    const againMs = this.received > 0 && !this.ticket.rerunnable ? waitMs : acceptMs
    if (!attempt.isLoading) this.waitUntil = Math.max(this.waitUntil, now + againMs)
    if (this.losses >= this.#limits.attempts || this.isBroken) this.allowed.push('device-lost', 'timed-out')
  }

  /** Nobody could continue what the client of a stream has. */
  awaitReturn(now: Ms): void {
    if (this.#begun === undefined || !this.hasShown || this.ticket.rerunnable) return
    this.returnUntil = now + this.#limits.returnMs
  }

  /** A stream whose devices all take no jobs right now need not wait longer than this. */
  get leastReturn(): Ms {
    return this.#begun === undefined ? Number.POSITIVE_INFINITY : this.#lostAt + this.#limits.returnMs
  }

  failed(failure: Failure): void {
    if (!failure.retryable) this.allowed.push('refused-by-device')
    if (!failure.crashed) return
    this.crashes += 1
    if (this.crashes >= this.#limits.crashes || this.isBroken) this.allowed.push('crashed')
  }

  /** A stream that broke off after its client got something, and that nobody can continue. */
  get isBroken(): boolean {
    return this.hasShown && !this.ticket.rerunnable && this.#begun === undefined
  }

  /** The device gave it back: no attempt is used up. */
  putBack(attempt: KnownAttempt): void {
    if (!this.holds(attempt)) return
    this.tries = this.tries.filter((other) => other !== attempt)
    if (this.isModelClosed) this.allowed.push('model-disabled')
  }

  /** The gateway has decided what follows an accept or a loss. */
  settled(): void {
    this.#isJustLost = false
    demand(
      this.#beaten.every((attempt) => attempt.isCancelled),
      () => `${this.ticket.job} runs on two devices`,
    )
    this.#beaten = []
  }

  finished({ outcome, tokens, attempts }: JobRecord, now: Ms): void {
    const { job } = this.ticket
    demand(!this.isFinished, () => `${job} ended twice, now with ${outcome.kind}`)
    if (now >= this.waitUntil) this.allowed.push('no-device')
    if (now >= this.totalUntil) this.allowed.push('timed-out')
    if (this.#begun !== undefined && now >= Math.min(this.waitUntil, this.leastReturn)) this.allowed.push('device-lost')
    demand(this.allowed.includes(outcome.kind), () => `${job} ended with ${outcome.kind} for no reason`)
    demand(
      this.isAdmitted ? outcome.kind !== 'queue-full' : true,
      () => `${job} was refused for a full queue after it had been let in`,
    )
    const isTotal = outcome.kind === 'timed-out' && outcome.limit === 'total'
    if (outcome.kind === 'timed-out')
      demand(isTotal === now >= this.totalUntil, () => `${job} ended at the wrong limit, ${outcome.limit}`)
    this.#checkTokens(tokens, outcome)
    demand(attempts === this.attempts, () => `${job} was offered ${this.attempts} times, not ${attempts}`)
    this.isFinished = true
    this.outcome = outcome.kind
    this.tries = []
  }

  #expectedTokens({ kind }: Outcome): TokenCount {
    const counted = this.tries.find(({ isAccepted, isLoading }) => isAccepted && !isLoading) ?? this.#countedLoss(kind)
    const delivered = this.#begunTokens + (counted?.deliveredTokens ?? 0)
    if (kind === 'refused-by-device' && delivered === 0) return NO_TOKENS
    if (counted !== undefined) return counted.endTokens ?? this.#tokens(counted.promptTokens, counted.deliveredTokens)
    return this.#begun === undefined ? NO_TOKENS : this.#tokens(Math.ceil(estimateTokens(this.ticket.promptSize)), 0)
  }

  // A loss that nobody can continue counts only if the job ends with it. A link that replaces another one may lose an attempt and then reject its
  // job, which was waiting again by then.
  #countedLoss(kind: Outcome['kind']): KnownAttempt | undefined {
    // Declined jobs were waiting again.
    if (this.#isJustLost && kind !== 'unsupported' && kind !== 'budget-used') return this.#lost
    return this.#lost?.file !== undefined && this.received > 0 ? this.#lost : undefined
  }

  #tokens(prompt: number, delivered: number): TokenCount {
    return { prompt, completion: Math.ceil(this.#begunTokens + delivered) }
  }

  #checkTokens({ prompt, completion }: TokenCount, outcome: Outcome): void {
    const expected = this.#expectedTokens(outcome)
    demand(
      prompt === expected.prompt && completion === expected.completion,
      () =>
        `${this.ticket.job} ended with ${prompt} + ${completion} tokens instead of ${expected.prompt} + ${expected.completion}`,
    )
  }
}
