// A hash over all boxes that the attempts of a job have delivered. Client and next device compute it on their own, and it goes into the
// next attempt's key: if the gateway showed them different beginnings of the reply, nothing opens.

import { createHash, type Hash } from 'node:crypto'

const TRANSCRIPT_BYTES = 32
const PURPOSE = 'hearth/seal/transcript/1'

export type Transcript = Uint8Array

/** Of a job that has not delivered anything. */
export const EMPTY_TRANSCRIPT: Transcript = new Uint8Array(TRANSCRIPT_BYTES)

/** What one attempt adds to the transcript before it. */
export class AttemptTranscript {
  readonly #before: Transcript
  readonly #hash: Hash
  #hasBoxes = false

  constructor(before: Transcript, attempt: number) {
    this.#before = before
    this.#hash = createHash('sha256').update(PURPOSE).update(before).update(asUint32(attempt))
  }

  add(box: Uint8Array): void {
    this.#hasBoxes = true
    this.#hash.update(asUint32(box.length)).update(box)
  }

  /** Ends it. An attempt that delivered nothing leaves the transcript as it was. */
  end(): Transcript {
    return this.#hasBoxes ? this.#hash.digest() : this.#before
  }
}

export function asUint32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}
