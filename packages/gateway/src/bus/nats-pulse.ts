// Notices a server that no longer reads or answers. Each flush asks the server to confirm everything before it, so bytes that are published and
// not confirmed are still in buffers: ours, the kernel's and the server's.

import type { NatsConnection } from '@nats-io/transport-node'

const BEAT_MS = 1_000
const SILENCE_MS = 3_000
/** How often a confirmation is requested while much is published. */
const CONFIRM_BYTES = 256 * 1024
export const MAX_UNCONFIRMED_BYTES = 64 * 1024 * 1024

export class Pulse {
  readonly #connection: NatsConnection
  readonly #onDead: () => void
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS)
  #askedAt: number | undefined
  #beatAt = performance.now()
  #unconfirmedBytes = 0

  constructor(connection: NatsConnection, onDead: () => void) {
    this.#connection = connection
    this.#onDead = onDead
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  sent(bytes: number): void {
    this.#unconfirmedBytes += bytes
    if (this.#unconfirmedBytes > MAX_UNCONFIRMED_BYTES) this.#onDead()
    else if (this.#unconfirmedBytes > CONFIRM_BYTES) this.#ask()
  }

  #beat(): void {
    const now = performance.now()
    // If this process itself got no time, the answer may be there, unread.
    const wasAway = now - this.#beatAt > 2 * BEAT_MS
    this.#beatAt = now
    if (this.#askedAt === undefined) this.#ask()
    else if (!wasAway && now - this.#askedAt > SILENCE_MS) this.#onDead()
  }

  #ask(): void {
    if (this.#askedAt !== undefined) return
    const bytes = this.#unconfirmedBytes
    this.#askedAt = performance.now()
    this.#connection.flush().then(
      () => this.#confirmed(bytes),
      () => undefined,
    )
  }

  #confirmed(bytes: number): void {
    this.#askedAt = undefined
    this.#unconfirmedBytes -= bytes
    if (this.#unconfirmedBytes > CONFIRM_BYTES) this.#ask()
  }
}
