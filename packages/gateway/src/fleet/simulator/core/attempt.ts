// One attempt from the device's side: it answers the offer, reads the prompt, sends events and ends, unless its fate is different.

import type { ModelFile } from '../../scheduler/core/state.ts'
import { estimateTokens } from '../../scheduler/core/token-count.ts'
import type { Failure, Ms, RefuseReason, Reporter, TokenCount } from '../../scheduler/core/types.ts'
import type { Client, Try } from './client.ts'
import type { Device, Served } from './device.ts'
import type { Fate, Mishap } from './fate.ts'
import type { Happening, VirtualClock } from '../virtual-clock.ts'

/** Where the reports of devices go. */
export interface Gateway {
  readonly clock: VirtualClock
  accept(attempt: Attempt): void
  refuse(attempt: Attempt, reason: RefuseReason): void
  progress(attempt: Attempt): void
  loading(attempt: Attempt): void
  loaded(attempt: Attempt): void
  event(attempt: Attempt, sequence: number): void
  end(attempt: Attempt, sequence: number): void
  fail(attempt: Attempt, failure: Failure): void
  confirm(attempt: Attempt): void
}

export interface AttemptOffer {
  acceptMs: Ms
  reportsTokens: boolean
}

const LOADING_REPORT_MS = 400

const ERROR = { code: 'failed', message: 'simulated' }

export class Attempt implements Happening, Try {
  rank = 0
  place = -1
  readonly reporter: Reporter
  readonly client: Client
  readonly device: Device
  readonly served: Served
  readonly fate: Fate
  readonly #gateway: Gateway
  readonly offeredAt: Ms
  lastSignAt: Ms
  isAccepted = false
  isCancelled = false
  /** The device loads the model first, as far as it said. */
  isLoading = false
  /** The device has not answered in the usual time. */
  isLate = false
  readonly answerBy: Ms
  /** What its tokens come from, if it reports them. */
  readonly file: ModelFile | undefined
  /** The world's own count of tokens, to compare with the scheduler's. */
  promptTokens: number
  deliveredTokens = 0
  endTokens: TokenCount | undefined
  #phase: 'answering' | 'loading' | 'reading' | 'speaking' | 'quiet' | 'over' = 'answering'
  #sequence = 0
  #progressLeft: number
  #loadUntil: Ms = 0

  constructor(gateway: Gateway, client: Client, device: Device, fate: Fate, offer: AttemptOffer) {
    const { job, model, promptSize } = client.ticket
    this.reporter = { device: device.id, epoch: device.epoch, job, attempt: client.attempts + 1 }
    this.client = client
    this.device = device
    this.served = device.served.get(model)!
    const { digest, contextLength } = this.served
    this.file = offer.reportsTokens && digest !== undefined ? { digest, contextLength } : undefined
    this.fate = fate
    this.#gateway = gateway
    this.promptTokens = Math.ceil(estimateTokens(promptSize))
    this.#progressLeft = fate.progressFrames
    this.offeredAt = this.lastSignAt = gateway.clock.now
    this.answerBy = Math.min(this.offeredAt + offer.acceptMs, client.waitUntil, client.totalUntil)
    gateway.clock.schedule(this, fate.answerMs)
  }

  happen(): void {
    const frozenMs = this.#frozenMs
    if (frozenMs > 0) this.#gateway.clock.schedule(this, frozenMs)
    else if (this.#phase === 'speaking') this.#speak()
    else if (this.#phase === 'reading') this.#read()
    else if (this.#phase === 'loading') this.#load()
    else this.#answer()
  }

  /** The link is lost, or the device is done: nothing more is sent. */
  vanish(): void {
    this.#phase = 'over'
    this.#gateway.clock.cancel(this)
  }

  /** A device that never saw the job confirms too, because its slot is free. */
  cancel(): void {
    if (this.#frozenMs > 0) return this.#gateway.clock.after(this.#frozenMs, () => this.cancel())
    if (this.#phase === 'over' || this.fate.ignoresCancel) return
    this.vanish()
    this.#gateway.confirm(this)
  }

  /** A frozen device does everything later. */
  get #frozenMs(): Ms {
    return this.device.frozenUntil - this.#gateway.clock.now
  }

  #answer(): void {
    const { answer, reason } = this.fate
    if (answer === 'never') return this.#wait('quiet')
    if (answer === 'refuse') return this.#last(() => this.#gateway.refuse(this, reason))
    if (this.served.presence !== 'loaded') return this.#beginLoading(answer)
    this.#wait('reading', this.device.promptMs)
    if (answer === 'accept') this.#gateway.accept(this)
  }

  #beginLoading(answer: 'accept' | 'begin unasked'): void {
    const { clock } = this.#gateway
    this.#loadUntil = this.fate.load === 'never' ? Number.POSITIVE_INFINITY : clock.now + this.served.loadMs
    this.#wait('loading', 1)
    if (answer === 'accept') this.#gateway.accept(this)
  }

  #load(): void {
    const leftMs = this.#loadUntil - this.#gateway.clock.now
    if (leftMs > 0) {
      this.#wait('loading', Math.min(leftMs, LOADING_REPORT_MS))
      return this.#gateway.loading(this)
    }
    if (this.fate.load === 'fails') return this.#last(() => this.#gateway.fail(this, failureOf('fail')))
    this.#wait('reading', this.device.promptMs)
    this.#gateway.loaded(this)
  }

  #read(): void {
    this.#progressLeft -= 1
    if (this.#progressLeft < 0) return this.#wait('speaking', 1)
    this.#wait('reading', this.device.promptMs)
    this.#gateway.progress(this)
  }

  #speak(): void {
    const { events, mishap, mishapAt, repeatsItself } = this.fate
    const sequence = this.#sequence
    if (mishap !== 'none' && sequence === mishapAt) return this.#meet(mishap)
    if (sequence >= events) return this.#last(() => this.#gateway.end(this, sequence))
    this.#sequence += 1
    this.#wait('speaking', this.device.tokenMs)
    this.#gateway.event(this, sequence)
    if (repeatsItself && this.#phase === 'speaking') this.#gateway.event(this, sequence >> 1)
  }

  #meet(mishap: Mishap): void {
    switch (mishap) {
      case 'stall':
        return this.#wait('quiet')
      case 'skip':
        this.#sequence += 2
        return this.#wait('speaking', this.device.tokenMs)
      case 'late refusal':
        return this.#last(() => this.#gateway.refuse(this, this.fate.reason))
      case 'stop unasked':
        return this.#last(() => this.#gateway.confirm(this))
      case 'early end':
        return this.#last(() => this.#gateway.end(this, this.#sequence + 1))
      case 'crash':
      case 'fail':
      case 'fatal':
      case 'none':
        return this.#last(() => this.#gateway.fail(this, failureOf(mishap)))
    }
  }

  #wait(phase: 'loading' | 'reading' | 'speaking' | 'quiet', ms?: Ms): void {
    this.#phase = phase
    if (ms !== undefined) this.#gateway.clock.schedule(this, ms)
  }

  #last(say: () => void): void {
    this.vanish()
    say()
  }
}

function failureOf(mishap: Mishap): Failure {
  return { retryable: mishap !== 'fatal', crashed: mishap === 'crash', error: ERROR }
}
