// The receiving half of a peer link in one session: packets in order, joined into batches of messages.

import type { PacketHead } from './packet.ts'

/** More than all requests that a gateway may hold. A batch that grows beyond it never ends. */
export const MAX_BATCH_BYTES = 256 * 1024 * 1024
/** The other end hears of arrived bytes at least this often. */
const CONFIRM_BYTES = 128 * 1024

export class Incoming {
  readonly #maxBatchBytes: number
  bytes = 0
  /** Of these bytes, the number that was confirmed to the other end. */
  toldBytes = 0
  #number = 0
  /** The parts of a batch that has not arrived as a whole. */
  #begun: Uint8Array[] = []
  #begunBytes = 0

  constructor(maxBatchBytes = MAX_BATCH_BYTES) {
    this.#maxBatchBytes = maxBatchBytes
  }

  get isUntold(): boolean {
    return this.bytes > this.toldBytes
  }

  get isMuchUntold(): boolean {
    return this.bytes - this.toldBytes >= CONFIRM_BYTES
  }

  /** `gap`: a packet got lost, or the batch is too large to be kept. `old`: nothing new. `part`: more of the batch follows. Otherwise the batch. */
  take({ kind, number }: PacketHead, body: Buffer): 'gap' | 'old' | 'part' | Buffer {
    const expected = kind === 'hello' ? this.#number : this.#number + 1
    if (number > expected) return 'gap'
    if (number < expected || kind === 'hello') return 'old'
    this.#number = number
    this.bytes += body.length
    if (kind === 'batch') return this.#join(body)
    this.#begunBytes += body.length
    if (this.#begunBytes > this.#maxBatchBytes) return 'gap'
    this.#begun.push(Uint8Array.from(body))
    return 'part'
  }

  #join(last: Buffer): Buffer {
    if (this.#begun.length === 0) return last
    const whole = Buffer.concat([...this.#begun, last])
    this.#begun = []
    this.#begunBytes = 0
    return whole
  }
}
