// A request that is too long for one frame, while it arrives. Parts come in order.

import { parseJobRequest, ProtocolError, type JobRequest, type JobStart } from '@hearth/protocol'

export class JobParts {
  readonly start: JobStart
  readonly #count: number
  readonly #texts: string[] = []

  constructor(start: JobStart, count: number) {
    this.start = start
    this.#count = count
  }

  /** Returns the request once the last part has arrived. */
  add(index: number, text: string): JobRequest | undefined {
    if (index !== this.#texts.length)
      throw new ProtocolError(`"index" must be ${this.#texts.length}, the number of the next part`)
    this.#texts.push(text)
    return this.#texts.length === this.#count ? parseJobRequest(this.#texts.join('')) : undefined
  }
}
