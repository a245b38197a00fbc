import { randomBytes, type KeyObject } from 'node:crypto'
import { closeBox } from '../box/aes-box.ts'
import type { ContentKey } from '../box/derive-key.ts'
import { padEvent } from '../box/padding.ts'
import { errorKey, eventsKey, SALT_BYTES, type Attempt } from './event-keys.ts'
import type { Transcript } from './transcript.ts'

/** Seals the events of one attempt, on the device. Each box has the next number, from 0 on. */
export class EventSealer {
  readonly #attempt: Attempt
  readonly #salt = randomBytes(SALT_BYTES)
  readonly #key: KeyObject
  #sequence = 0

  /** `transcript` comes from `openBegun`, or is `EMPTY_TRANSCRIPT` where nothing has begun. */
  constructor(contentKey: ContentKey, attempt: number, transcript: Transcript) {
    this.#attempt = { contentKey, attempt, transcript }
    this.#key = eventsKey(this.#attempt, this.#salt)
  }

  /** The number that the next box gets. */
  get sequence(): number {
    return this.#sequence
  }

  seal(plain: Uint8Array): Buffer {
    const sequence = this.#sequence++
    const box = closeBox(this.#key, sequence, padEvent(plain))
    return sequence === 0 ? Buffer.concat([this.#salt, box]) : box
  }

  /** May come at any time, also before the first event. */
  sealError(plain: Uint8Array): Buffer {
    const salt = randomBytes(SALT_BYTES)
    return Buffer.concat([salt, closeBox(errorKey(this.#attempt, salt), 0, padEvent(plain))])
  }
}
