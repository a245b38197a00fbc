// One attempt from the device's side: it answers the offer, reads the prompt, sends numbers and ends, unless its fate is different.

import { isSealed, type JobDelta, type JobRequest, type JobSealed } from '@hearth/protocol'
import type { JobFrame } from '../../terms/job-frame.ts'
import type { Ms } from '../../terms/job.ts'
import type { KnownAttempt } from '../account/known-job.ts'
import type { Link } from './link.ts'
import type { Fate, Mishap } from './fate.ts'
import { begunNumbers, readRequest, textOfNumber, type Wish } from './request.ts'
import type { Happening, VirtualClock } from '../virtual-clock.ts'

const LOADING_REPORT_MS = 400

/** The device that works on it. */
interface Worker {
  readonly id: string
  readonly link: Link | undefined
  readonly frozenUntil: Ms
  readonly tokenMs: Ms
  readonly promptMs: Ms
  loadMs(model: string): Ms | undefined
  loaded(model: string): void
  say(attempt: Attempt, frame: JobFrame): void
  done(attempt: Attempt): void
}

export class Attempt implements Happening {
  rank = 0
  position = -1
  readonly job: string
  readonly attempt: number
  readonly model: string
  readonly device: Worker
  readonly fate: Fate
  /** The account's record of this attempt; undefined in a world where effects take time. */
  readonly known: KnownAttempt | undefined
  isPaused = false
  readonly #clock: VirtualClock
  readonly #wish: Wish
  readonly #reportsIds: boolean
  readonly #isSealed: boolean
  /** The number that the first event stands for. */
  readonly #first: number
  #phase: 'answering' | 'loading' | 'reading' | 'speaking' | 'quiet' | 'over' = 'answering'
  #sequence = 0
  #progressLeft: number
  #loadUntil: Ms = 0

  constructor(
    device: Worker,
    clock: VirtualClock,
    request: JobRequest,
    fate: Fate,
    of: Attempt['of'],
    known?: KnownAttempt,
  ) {
    this.job = of.job
    this.attempt = of.attempt
    this.device = device
    this.model = request.model
    this.fate = fate
    this.known = known
    this.#clock = clock
    this.#wish = readRequest(request)
    this.#reportsIds = request.recovery !== undefined
    this.#isSealed = isSealed(request)
    this.#first = begunNumbers(request)
    this.#progressLeft = fate.progressFrames
    clock.schedule(this, fate.answerMs)
  }

  get of(): { job: string; attempt: number } {
    return { job: this.job, attempt: this.attempt }
  }

  happen(): void {
    const frozenMs = this.#frozenMs
    if (frozenMs > 0) this.#clock.schedule(this, frozenMs)
    else if (this.#phase === 'speaking') this.#speak()
    else if (this.#phase === 'reading') this.#read()
    else if (this.#phase === 'loading') this.#load()
    else this.#answer()
  }

  /** The link is lost, or the device is done: nothing more is sent. */
  vanish(): void {
    this.#phase = 'over'
    this.#clock.cancel(this)
  }

  /** A device that never saw the job confirms too, because its slot is free. */
  cancel(): void {
    if (this.#frozenMs > 0) return this.#clock.after(this.#frozenMs, () => this.cancel())
    if (this.#phase !== 'over' && !this.fate.ignoresCancel) this.#last({ type: 'job-cancelled', ...this.of })
  }

  /** A frozen device does everything later. */
  get #frozenMs(): Ms {
    return this.device.frozenUntil - this.#clock.now
  }

  #answer(): void {
    const { answer } = this.fate
    if (answer === 'never') return this.#wait('quiet')
    if (answer === 'refuse') return this.#refuse()
    const loadMs = this.device.loadMs(this.model)
    if (loadMs !== undefined) this.#beginLoading(loadMs)
    else this.#wait('reading', this.device.promptMs)
    if (answer === 'accept') this.#say({ type: 'job-accept', ...this.of })
  }

  #refuse(): void {
    this.#last({ type: 'job-refuse', ...this.of, reason: this.fate.reason })
  }

  #beginLoading(loadMs: Ms): void {
    this.#loadUntil = this.fate.load === 'never' ? Number.POSITIVE_INFINITY : this.#clock.now + loadMs
    this.#wait('loading', 1)
  }

  #load(): void {
    const leftMs = this.#loadUntil - this.#clock.now
    if (leftMs > 0) {
      this.#wait('loading', Math.min(leftMs, LOADING_REPORT_MS))
      return this.#say({ type: 'job-progress', ...this.of, phase: 'loading' })
    }
    if (this.fate.load === 'fails') return this.#fail('fail')
    this.#wait('reading', this.device.promptMs)
    this.device.loaded(this.model)
  }

  #read(): void {
    this.#progressLeft -= 1
    if (this.#progressLeft < 0) return this.#wait('speaking', 1)
    this.#wait('reading', this.device.promptMs)
    this.#say({ type: 'job-progress', ...this.of, phase: 'prompt', total: this.#wish.promptTokens })
  }

  #speak(): void {
    const { mishap, mishapAt, repeatsItself, tokenMs = this.device.tokenMs } = this.fate
    const sequence = this.#sequence
    this.#wait('speaking', tokenMs)
    if (this.isPaused) return
    if (mishap !== 'none' && sequence === Math.floor(mishapAt * this.#wish.total)) return this.#meet(mishap)
    if (this.#first + sequence >= this.#wish.total) return this.#end(sequence)
    this.#sequence += 1
    this.#say(this.#event(sequence))
    if (repeatsItself && this.#phase === 'speaking') this.#say(this.#event(sequence >> 1))
  }

  #event(sequence: number): JobDelta | JobSealed {
    const { job, attempt } = this
    const number = this.#first + sequence
    if (this.#isSealed) return { type: 'job-sealed', job, attempt, sequence, tokens: 1, box: textOfNumber(number) }
    const frame: JobDelta = { type: 'job-delta', job, attempt, sequence, choice: 0, text: '' }
    if (number >= this.#wish.hidden) frame.text = textOfNumber(number)
    if (number % 3 > 0) frame.tokens = 1
    if (this.#reportsIds) frame.ids = number
    return frame
  }

  #end(sequence: number): void {
    const { total, promptTokens } = this.#wish
    const usage = { promptTokens, completionTokens: 2 * total }
    const box = this.#isSealed && { box: 'end' }
    this.#last({ type: 'job-end', ...this.of, sequence, finishes: ['stop'], ...(total % 4 > 0 && { usage }), ...box })
  }

  #meet(mishap: Mishap): void {
    switch (mishap) {
      case 'stall':
        this.#clock.cancel(this)
        return this.#wait('quiet')
      case 'skip':
        this.#sequence += 2
        return
      case 'late refusal':
        return this.#refuse()
      case 'stop unasked':
        return this.#last({ type: 'job-cancelled', ...this.of })
      case 'early end':
        return this.#end(this.#sequence + 1)
      case 'crash':
      case 'fail':
      case 'fatal':
      case 'none':
        return this.#fail(mishap)
      default:
        mishap satisfies never
    }
  }

  #fail(mishap: Mishap): void {
    const [retryable, crashed] = [mishap !== 'fatal', mishap === 'crash']
    this.#last({ type: 'job-error', ...this.of, code: 'failed', message: 'simulated', retryable, crashed })
  }

  #wait(phase: 'loading' | 'reading' | 'speaking' | 'quiet', ms?: Ms): void {
    this.#phase = phase
    if (ms !== undefined) this.#clock.schedule(this, ms)
  }

  #say(frame: JobFrame): void {
    this.device.say(this, frame)
  }

  #last(frame: JobFrame): void {
    this.vanish()
    this.device.done(this)
    this.#say(frame)
  }
}
