// One job on a scripted device: sends the frames its plan asks for, in order, and stops when it is cancelled or the link is gone.

import { setImmediate, setTimeout } from 'node:timers/promises'
import type { CancelReason, ChatJob, DeviceFrame, JobAttempt } from '@hearth/protocol'
import type { JobPlan } from './job-plan.ts'
import { begunOf, isBeginning, planAnswer, plannedLogprobs, tokenId, type PlannedAnswer } from './planned-answer.ts'

export interface JobWire {
  send(frames: readonly object[]): void
  sendRaw(message: string | Uint8Array): void
  crash(): void
  /** Resolves once the gateway has read most of what was sent. */
  drained(): Promise<void> | undefined
}

export type JobState = 'offered' | 'accepted' | 'refused' | 'ended' | 'failed' | 'cancelled'

export class ScriptedJob {
  readonly id: string
  readonly attempt: number
  readonly organization: string
  readonly request: ChatJob
  readonly cancels: CancelReason[] = []
  state: JobState = 'offered'
  /** Tokens sent so far, per choice. */
  sent = 0
  pauses = 0
  readonly #plan: JobPlan
  readonly #wire: JobWire
  readonly #stop = new AbortController()
  #sequence = 0
  #resumed: PromiseWithResolvers<void> | undefined

  constructor(start: JobAttempt & { organization: string; request: ChatJob }, plan: JobPlan, wire: JobWire) {
    this.id = start.job
    this.attempt = start.attempt
    this.organization = start.organization
    this.request = start.request
    this.#plan = plan
    this.#wire = wire
  }

  /** Resolves when the plan is done or the job was canceled. */
  async follow(): Promise<void> {
    try {
      await this.#follow()
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error
    }
  }

  cancel(reason: CancelReason): void {
    this.cancels.push(reason)
    if (this.#plan.ignoresCancel === true || (this.state !== 'offered' && this.state !== 'accepted')) return
    this.state = 'cancelled'
    this.#stop.abort()
    this.#send({ type: 'job-cancelled', ...this.#name() })
  }

  /** The link is gone, so nothing more can be sent. */
  abandon(): void {
    this.#stop.abort()
  }

  pause(): void {
    this.pauses += 1
    this.#resumed ??= Promise.withResolvers()
  }

  resume(): void {
    this.#resumed?.resolve()
    this.#resumed = undefined
  }

  async #follow(): Promise<void> {
    const plan = this.#plan
    if (plan.crashAt === 'offer') return this.#wire.crash()
    if (plan.ignoresOffer === true) return
    await this.#wait(plan.acceptAfter)
    // A cancellation can come in the same message as the offer.
    this.#stop.signal.throwIfAborted()
    if (plan.refuse !== undefined)
      return this.#finish('refused', { type: 'job-refuse', reason: plan.refuse, ...this.#name() })
    this.state = 'accepted'
    this.#send({ type: 'job-accept', ...this.#name() })
    if (plan.crashAt === 'accept') return this.#wire.crash()
    for (const phase of plan.progress ?? []) this.#send({ type: 'job-progress', phase, ...this.#name() })
    const answer = planAnswer(plan, this.request)
    if (!isBeginning(answer, this.request))
      return void this.#fail({ message: 'The tokens are not the beginning of this answer' })
    await this.#produce(answer)
  }

  async #produce(answer: PlannedAnswer): Promise<void> {
    const step = this.#plan.tokensPerMessage ?? 1
    for (let token = this.#begun(answer); token < answer.tokens.length; token += step) {
      if (await this.#isOver(token)) return
      await this.#wait(this.#plan.beforeTokens?.())
      this.#sendTokens(answer, token, Math.min(token + step, answer.tokens.length))
      await this.#turn()
    }
    if (await this.#isOver(answer.tokens.length)) return
    this.#sendCalls(answer)
    const { finish, usage, choices } = answer
    const finishes = Array.from({ length: choices }, () => finish)
    const end = {
      type: 'job-end',
      sequence: this.#sequence++,
      finishes,
      ...(usage && { usage }),
      ...this.#name(),
    } as const
    this.#finish('ended', end)
  }

  /** The first token that a choice lacks. */
  #begun({ choices }: PlannedAnswer): number {
    return Math.min(...Array.from({ length: choices }, (_, choice) => begunOf(this.request, choice).tokens))
  }

  /** Does what the plan contains before this token; true if the job ends there. */
  async #isOver(token: number): Promise<boolean> {
    const { stall, crashAt, failure, junk } = this.#plan
    if (stall?.at === token) await this.#wait(stall.until)
    if (junk?.at === token) this.#wire.sendRaw(junk.message)
    if (failure !== undefined && (failure.at ?? 0) === token) return this.#fail(failure)
    if (crashAt !== token) return false
    this.#wire.crash()
    return true
  }

  #fail(failure: NonNullable<JobPlan['failure']>): true {
    const {
      code = 'failed',
      message = 'The scripted engine failed',
      retryable = false,
      crashed = false,
      param,
    } = failure
    const error = { code, message, retryable, crashed, ...(param !== undefined && { param }) }
    this.#finish('failed', { type: 'job-error', ...error, ...this.#name() })
    return true
  }

  #sendTokens(answer: PlannedAnswer, from: number, to: number): void {
    if (this.#plan.sendsStrayFrames === true) this.#wire.send(this.#strays())
    const frames: DeviceFrame[] = []
    for (let token = from; token < to; token += 1)
      for (let choice = 0; choice < answer.choices; choice += 1)
        if (token >= begunOf(this.request, choice).tokens)
          frames.push(this.#delta(choice, token, answer.tokens[token]!))
    this.sent = to
    this.#send(...frames)
  }

  #delta(choice: number, token: number, text: string): DeviceFrame {
    const logprobs = plannedLogprobs(this.request, text)
    return {
      type: 'job-delta',
      sequence: this.#sequence++,
      choice,
      text,
      ...(this.#plan.reportsTokens === true &&
        this.request.recovery !== undefined && { ids: [tokenId(choice, token)] }),
      ...(logprobs && { logprobs }),
      ...this.#name(),
    }
  }

  #sendCalls(answer: PlannedAnswer): void {
    const annotations = [...(this.#plan.annotations ?? [])]
    for (let choice = 0; choice < answer.choices; choice += 1) {
      if (annotations.length > 0)
        this.#send({ type: 'job-annotations', sequence: this.#sequence++, choice, annotations, ...this.#name() })
      if (answer.calls.length > 0 && !begunOf(this.request, choice).hasCalls)
        this.#send({ type: 'job-calls', sequence: this.#sequence++, choice, calls: [...answer.calls], ...this.#name() })
    }
  }

  /** None of these may reach a client. The last one repeats a sequence number, once there is one to repeat. */
  #strays(): DeviceFrame[] {
    const stray = { type: 'job-delta', sequence: this.#sequence, choice: 0, text: 'STRAY', ...this.#name() } as const
    const strays: DeviceFrame[] = [
      { ...stray, attempt: this.attempt + 1 },
      { ...stray, job: 'a-job-nobody-knows' },
      { type: 'job-end', sequence: this.#sequence, finishes: ['stop'], job: this.id, attempt: this.attempt + 7 },
    ]
    return this.#sequence === 0 ? strays : [...strays, { ...stray, sequence: this.#sequence - 1 }]
  }

  async #turn(): Promise<void> {
    const { signal } = this.#stop
    const { intervalMs } = this.#plan
    await (intervalMs === undefined
      ? setImmediate(undefined, { signal })
      : setTimeout(intervalMs, undefined, { signal }))
    await this.#wait(this.#wire.drained())
    await this.#wait(this.#resumed?.promise)
  }

  async #wait(what: Promise<unknown> | undefined): Promise<void> {
    if (what === undefined) return
    const { signal } = this.#stop
    const stopped = Promise.withResolvers<never>()
    const stop = () => stopped.reject(signal.reason)
    signal.addEventListener('abort', stop)
    await Promise.race([what, stopped.promise]).finally(() => signal.removeEventListener('abort', stop))
  }

  #finish(state: JobState, frame: DeviceFrame): void {
    this.state = state
    this.#send(frame)
  }

  #send(...frames: DeviceFrame[]): void {
    const { repeatsFrames, sendsUnknowns } = this.#plan
    const dressed = sendsUnknowns === true ? frames.flatMap(withUnknowns) : frames
    this.#wire.send(dressed)
    if (repeatsFrames === true) this.#wire.send(dressed)
  }

  #name(): JobAttempt {
    return { job: this.id, attempt: this.attempt }
  }
}

function withUnknowns(frame: DeviceFrame): object[] {
  return [
    { type: 'job-mood', mood: 'bright' },
    { ...frame, colour: 'green', nested: { deep: [1, 2, 3] } },
  ]
}
