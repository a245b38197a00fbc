// A request that is too long for one frame, on its way in. Parts come in order; a gateway that sends them otherwise is broken.

import { JOB_PART_BYTES, parseChatJob, ProtocolError, type ChatJob, type JobStart } from '@hearth/protocol'

/** The gateway takes bodies of 20 MiB; escaping may make them longer. */
const MAX_PARTS = Math.ceil((64 * 1024 * 1024) / JOB_PART_BYTES)

export class JobParts {
  readonly start: JobStart
  readonly #count: number
  readonly #texts: string[] = []

  constructor(start: JobStart, count: number) {
    if (count < 1 || count > MAX_PARTS) throw new ProtocolError(`"parts" is a number from 1 to ${MAX_PARTS}`)
    this.start = start
    this.#count = count
  }

  /** The request, once the last part is in. */
  add(index: number, text: string): ChatJob | undefined {
    if (index !== this.#texts.length) throw new ProtocolError('"index" of parts goes up by one')
    this.#texts.push(text)
    return this.#texts.length === this.#count ? parseChatJob(this.#texts.join('')) : undefined
  }
}
