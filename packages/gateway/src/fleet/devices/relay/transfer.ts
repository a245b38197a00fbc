// One piece on its way: a device that has it is asked, sends it with a request of its own, and its bytes are passed on as they come.

import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { DeviceLink } from '../device-link.ts'

/** `failed` is the fault of the device that has the piece; `left` is not. */
export type Outcome = 'whole' | 'failed' | 'left'

/** 'asked' until the device sends something, 'claimed' until the first byte is here. */
type State = 'asked' | 'claimed' | 'flowing' | 'over'

export class Transfer {
  readonly id: string = randomUUID()
  readonly from: DeviceLink
  readonly bytes: number
  readonly #arrived = Promise.withResolvers<Readable | undefined>()
  readonly #over = Promise.withResolvers<Outcome>()
  /** Resolves once the first byte can be read; with undefined if the device fails. */
  readonly arrived = this.#arrived.promise
  readonly over = this.#over.promise
  readonly #onOver: (outcome: Outcome) => void
  #state: State = 'asked'
  #timer: NodeJS.Timeout | undefined

  constructor(from: DeviceLink, bytes: number, onOver: (outcome: Outcome) => void) {
    this.from = from
    this.bytes = bytes
    this.#onOver = onOver
  }

  ask(sha256: string, offset: number, firstByteMs: number): void {
    if (this.#state !== 'asked') return
    this.#timer = setTimeout(() => this.end('failed'), firstByteMs).unref()
    this.from.send({ type: 'piece-wanted', transfer: this.id, sha256, offset, bytes: this.bytes })
  }

  /** False if the bytes are on their way already: there is one sender, and nobody reads what others send. */
  claim(body: Readable, declaredBytes: number | undefined): boolean {
    if (this.#state !== 'asked') return false
    this.#state = 'claimed'
    // Fewer bytes mean that the device can't send them.
    if (declaredBytes !== undefined && declaredBytes !== this.bytes) this.end('failed')
    else this.#awaitFirstByte(body)
    return true
  }

  /** Safe to call more than once: the first outcome counts. */
  end(outcome: Outcome): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    clearTimeout(this.#timer)
    this.#onOver(outcome)
    this.#arrived.resolve(undefined)
    this.#over.resolve(outcome)
  }

  #awaitFirstByte(body: Readable): void {
    body.once('readable', () => {
      if (this.#state !== 'claimed') return
      if (body.readableLength === 0) return this.end('failed')
      this.#state = 'flowing'
      clearTimeout(this.#timer)
      this.#arrived.resolve(body)
    })
    body.once('close', () => {
      if (this.#state === 'claimed') this.end('failed')
    })
  }
}
