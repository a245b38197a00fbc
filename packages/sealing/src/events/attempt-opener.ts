// Opens the boxes of one attempt in the order in which they were sealed.

import type { KeyObject } from 'node:crypto'
import { readBase64 } from '../base64.ts'
import { openBox } from '../box/aes-box.ts'
import { unpad } from '../box/padding.ts'
import { MAX_EVENT_BOX_BYTES } from '../limits.ts'
import { errorKey, eventsKey, SALT_BYTES, type Attempt } from './event-keys.ts'
import { AttemptTranscript, type Transcript } from './transcript.ts'

export type OpenedEvent = { kind: 'opened'; plain: Buffer } | { kind: 'rejected'; reason: OpenEventReason }

/** `out-of-order`: a box or an attempt is missing, doubled or late. `not-opened`: changed, or of another job, attempt or beginning. */
export type OpenEventReason = 'malformed' | 'too-large' | 'out-of-order' | 'not-opened'

export class AttemptOpener {
  readonly #attempt: Attempt
  readonly #transcript: AttemptTranscript
  /** Comes with the first box. */
  #key: KeyObject | undefined
  #sequence = 0

  constructor(attempt: Attempt) {
    this.#attempt = attempt
    this.#transcript = new AttemptTranscript(attempt.transcript, attempt.attempt)
  }

  get number(): number {
    return this.#attempt.attempt
  }

  open(sequence: number, text: unknown): OpenedEvent {
    const box = readBase64(text, MAX_EVENT_BOX_BYTES)
    if (box.kind === 'rejected') return box
    if (sequence !== this.#sequence) return { kind: 'rejected', reason: 'out-of-order' }
    const plain = this.#openNext(box.bytes)
    if (!plain) return { kind: 'rejected', reason: 'not-opened' }
    this.#sequence++
    this.#transcript.add(box.bytes)
    return { kind: 'opened', plain }
  }

  openError(text: unknown): OpenedEvent {
    const box = readBase64(text, MAX_EVENT_BOX_BYTES)
    if (box.kind === 'rejected') return box
    const { bytes } = box
    const key = errorKey(this.#attempt, bytes.subarray(0, SALT_BYTES))
    const plain = openPadded(key, 0, bytes.subarray(SALT_BYTES))
    return plain ? { kind: 'opened', plain } : { kind: 'rejected', reason: 'not-opened' }
  }

  /** The transcript for the attempt after this one. */
  end(): Transcript {
    return this.#transcript.end()
  }

  #openNext(box: Buffer): Buffer | undefined {
    if (this.#key) return openPadded(this.#key, this.#sequence, box)
    const key = eventsKey(this.#attempt, box.subarray(0, SALT_BYTES))
    const plain = openPadded(key, 0, box.subarray(SALT_BYTES))
    if (plain) this.#key = key
    return plain
  }
}

function openPadded(key: KeyObject, number: number, box: Buffer): Buffer | undefined {
  const padded = openBox(key, number, box)
  return padded && unpad(padded)
}
