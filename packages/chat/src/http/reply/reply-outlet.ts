// A reply to a client. Both ways to reply, node:http and a bare socket, have in common how a body is cut and measured, who is called when
// the reply is over, and who pays for bytes that the client doesn't read.

import type { Writable } from 'node:stream'
import type { ClientIds } from '@hearth/protocol'
import type { ByteBudget, Reservation, Owner } from '../../budget/byte-budget.ts'
import { newRequestId } from '../../ids.ts'
import type { Outlet } from '../../reply/outlet.ts'

/** A larger body is sent in pieces of this size, so that a client that reads slowly can be told from one that does not read. */
export const PIECE_BYTES = 256 * 1024

export const LAST_CHUNK = '0\r\n\r\n'

/** `Target` is where the bytes go. */
export abstract class ReplyOutlet<Target extends Writable = Writable> implements Outlet {
  readonly requestId: string
  readonly client: ClientIds | undefined
  protected readonly target: Target
  /** Nothing more will be written. Set before the last bytes are sent: the client may be done with them at once. */
  protected isOver = false
  /** Bytes of a whole reply that have not been passed to the target yet. */
  #waitingBytes = 0
  #isClosed = false
  #account: { budget: ByteBudget; owner: Owner } | undefined
  #reservation: Reservation | undefined
  #onClose: (() => void)[] = []

  constructor(target: Target, client: ClientIds | undefined) {
    this.requestId = client?.requestId ?? newRequestId()
    this.client = client
    this.target = target
  }

  /** 0 until the status is decided. */
  abstract readonly status: number
  abstract header(name: string, value: string): void
  abstract json(status: number, body: string, isAscii?: boolean): void
  abstract startStream(): void
  /** `size` in bytes. */
  protected abstract writeText(text: string, size: number): boolean
  protected abstract endText(text: string, size: number): void

  write(text: string, isAscii = false): boolean {
    return this.writeText(text, isAscii ? text.length : Buffer.byteLength(text))
  }

  end(text: string, isAscii = false): void {
    this.isOver = true
    this.endText(text, isAscii ? text.length : Buffer.byteLength(text))
    this.countSoon()
  }

  destroy(): void {
    this.isOver = true
    this.target.destroy()
  }

  get bufferedBytes(): number {
    return this.target.writableLength + this.#waitingBytes
  }

  /** The reply is complete, or its client is gone. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  onClose(listener: () => void): void {
    if (this.#isClosed) listener()
    else this.#onClose.push(listener)
  }

  /** From now on, bytes that the client does not read count for this owner. */
  chargeTo(budget: ByteBudget, owner: Owner): void {
    this.#account = { budget, owner }
  }

  reserveUnread(): boolean {
    if (!this.#account) return true
    this.#reservation ??= this.#openReservation(this.#account.budget, this.#account.owner)
    return this.#reservation.resize(this.bufferedBytes) === undefined
  }

  onDrain(listener: () => void): void {
    this.target.once('drain', () => {
      this.#reservation?.release()
      listener()
    })
  }

  onGone(listener: () => void): void {
    this.onClose(() => {
      if (!this.isOver) listener()
    })
  }

  protected closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const listeners = this.#onClose
    this.#onClose = []
    for (const listener of listeners) listener()
  }

  /** Most replies are gone at once. Others count as soon as the job that produced them no longer does. */
  countSoon(): void {
    if (this.bufferedBytes === 0) return
    setImmediate(() => {
      if (!this.#isClosed && !this.reserveUnread()) this.destroy()
    })
  }

  /** Passes a large body to the target as fast as the client reads, then calls `whenPassed`. */
  protected sendPieces([first, ...others]: readonly Buffer[], whenPassed: () => void, isShared = false): void {
    if (first === undefined) return whenPassed()
    const isTaken = this.target.write(first.subarray(0, PIECE_BYTES))
    const more = first.length > PIECE_BYTES ? [first.subarray(PIECE_BYTES), ...others] : others
    this.#waitingBytes = isShared ? 0 : more.reduce((sum, { length }) => sum + length, 0)
    if (isTaken || more.length === 0) return this.sendPieces(more, whenPassed, isShared)
    this.target.once('drain', () => {
      // The system takes some megabytes at once. Others get their turn in between.
      setImmediate(() => {
        this.sendPieces(more, whenPassed, isShared)
        this.#reservation?.resize(this.bufferedBytes)
      })
    })
  }

  #openReservation(budget: ByteBudget, owner: Owner): Reservation {
    const reservation = budget.open(owner)
    this.onClose(() => reservation.close())
    return reservation
  }
}

/** An empty chunk would end the body. */
export function frameChunk(text: string, size: number): string {
  return size === 0 ? '' : `${size.toString(16)}\r\n${text}\r\n`
}

/** Text without special characters is the same in both, and Latin-1 is copied as it is. */
export function encodingOf(text: string, size: number): 'latin1' | 'utf8' {
  return size === text.length ? 'latin1' : 'utf8'
}
