// Bytes that many replies share, such as a large list that changes rarely. They count once, for the organization that they are of, as long as
// one reply has not been read to its end; each reply counts for no more than the piece that it is sending.

import type { ByteBudget, Full, Reservation } from '../../budget/byte-budget.ts'

export class SharedBytes {
  readonly bytes: Buffer
  readonly #reservation: Reservation
  #readers = 0

  constructor(bytes: Buffer, budget: ByteBudget, organization: string) {
    this.bytes = bytes
    this.#reservation = budget.open({ organization, key: organization })
  }

  /** Says who holds too much if there is no room; then they must not be sent. */
  enter(): Full | undefined {
    const full = this.#reservation.resize(this.bytes.length)
    if (full === undefined) this.#readers += 1
    return full
  }

  leave(): void {
    this.#readers -= 1
    if (this.#readers === 0) this.#reservation.release()
  }
}
