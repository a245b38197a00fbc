// One attempt as a device lives it: it answers the offer, reads the prompt, says its events and ends, unless its fate has other plans.

import type { Failure, Ms, RefuseReason, Speaker } from '../core/types.ts'
import type { Client } from './client.ts'
import type { Device, Served } from './device.ts'
import type { Random } from './random.ts'
import type { Happening, VirtualClock } from './virtual-clock.ts'

/** Where the words of devices go. */
export interface Gateway {
  readonly clock: VirtualClock
  accept(attempt: Attempt): void
  refuse(attempt: Attempt, reason: RefuseReason): void
  progress(attempt: Attempt): void
  event(attempt: Attempt, sequence: number): void
  end(attempt: Attempt, sequence: number): void
  fail(attempt: Attempt, failure: Failure): void
  confirm(attempt: Attempt): void
}

export type Answer = 'accept' | 'refuse' | 'begin unasked' | 'never'
export type Mishap =
  | 'none'
  | 'crash'
  | 'fail'
  | 'fatal'
  | 'stall'
  | 'skip'
  | 'late refusal'
  | 'stop unasked'
  | 'early end'

export interface Fate {
  answer: Answer
  answerMs: Ms
  reason: RefuseReason
  progressFrames: number
  events: number
  mishap: Mishap
  /** The event at which it happens. */
  mishapAt: number
  ignoresCancel: boolean
  repeatsItself: boolean
}

const ERROR = { code: 'failed', message: 'simulated' }

export class Attempt implements Happening {
  rank = 0
  place = -1
  readonly speaker: Speaker
  readonly client: Client
  readonly device: Device
  readonly model: string
  readonly served: Served
  readonly fate: Fate
  readonly #gateway: Gateway
  readonly offeredAt: Ms
  lastSignAt: Ms
  isAccepted = false
  isCancelled = false
  #phase: 'answering' | 'reading' | 'speaking' | 'quiet' | 'over' = 'answering'
  #sequence = 0
  #progressLeft: number

  constructor(gateway: Gateway, client: Client, device: Device, fate: Fate) {
    const { job, model } = client.ticket
    this.speaker = { device: device.id, epoch: device.epoch, job, attempt: client.attempts + 1 }
    this.client = client
    this.device = device
    this.model = model
    this.served = device.served.get(model)!
    this.fate = fate
    this.#gateway = gateway
    this.#progressLeft = fate.progressFrames
    this.offeredAt = this.lastSignAt = gateway.clock.now
    gateway.clock.schedule(this, fate.answerMs)
  }

  happen(): void {
    if (this.#phase === 'speaking') this.#speak()
    else if (this.#phase === 'reading') this.#read()
    else this.#answer()
  }

  /** The link went, or the device is done with it: it says nothing more. */
  vanish(): void {
    this.#phase = 'over'
    this.#gateway.clock.cancel(this)
  }

  /** A device that never heard of the job confirms too: its slot is free. */
  cancel(): void {
    if (this.#phase === 'over' || this.fate.ignoresCancel) return
    this.vanish()
    this.#gateway.confirm(this)
  }

  #answer(): void {
    const { answer, reason } = this.fate
    if (answer === 'never') return this.#wait('quiet')
    if (answer === 'refuse') return this.#last(() => this.#gateway.refuse(this, reason))
    this.#wait('reading', this.device.promptMs)
    if (answer === 'accept') this.#gateway.accept(this)
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
    if (repeatsItself && this.device.attempts.has(this)) this.#gateway.event(this, sequence >> 1)
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

  #wait(phase: 'reading' | 'speaking' | 'quiet', ms?: Ms): void {
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

/** How attempts go when everybody behaves. */
export function goodFate(random: Random): Fate {
  return {
    answer: 'accept',
    answerMs: random.between(1, 60),
    reason: 'busy',
    progressFrames: 0,
    events: random.between(0, 50),
    mishap: 'none',
    mishapAt: 0,
    ignoresCancel: false,
    repeatsItself: false,
  }
}

const REFUSALS: readonly RefuseReason[] = [
  'busy',
  'busy',
  'not-loaded',
  'draining',
  'unsupported',
  'wrong-organization',
]
const MISHAPS: readonly Mishap[] = [
  'crash',
  'fail',
  'fatal',
  'stall',
  'skip',
  'late refusal',
  'stop unasked',
  'early end',
]

export function anyFate(random: Random, acceptMs: Ms): Fate {
  const fate = goodFate(random)
  const luck = random.fraction()
  if (luck < 0.05) fate.answer = 'refuse'
  else if (luck < 0.06) fate.answer = 'never'
  else if (luck < 0.08) fate.answer = 'begin unasked'
  else if (luck < 0.09) fate.answerMs = acceptMs + random.between(-20, 200)
  fate.reason = random.pick(REFUSALS)
  fate.progressFrames = random.chance(0.1) ? random.between(1, 12) : 0
  fate.ignoresCancel = random.chance(0.05)
  fate.repeatsItself = random.chance(0.05)
  if (random.chance(0.15)) fate.mishap = random.pick(MISHAPS)
  fate.mishapAt = random.chance(0.4) ? 0 : random.between(0, fate.events)
  return fate
}
