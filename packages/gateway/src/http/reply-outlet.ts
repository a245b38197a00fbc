// What both ways to reply have in common, node:http and a bare socket: who is called when the reply is over, and who pays for bytes that the
// client doesn't read.

import type { ByteBudget, Hold, Owner } from '../budget/byte-budget.ts'
import type { Outlet } from '../chat/outlet.ts'

/** A larger body is sent in pieces of this size, so that a client that reads slowly can be told from one that does not read. */
export const PIECE_BYTES = 256 * 1024

export const LAST_CHUNK = '0\r\n\r\n'

export abstract class ReplyOutlet implements Outlet {
  readonly requestId: string
  /** Nothing more will be written. */
  protected isOver = false
  #isClosed = false
  #account: { budget: ByteBudget; owner: Owner } | undefined
  #hold: Hold | undefined
  #onClose: (() => void)[] = []

  constructor(requestId: string) {
    this.requestId = requestId
  }

  /** 0 until the status is decided. */
  abstract readonly status: number
  abstract readonly bufferedBytes: number
  abstract header(name: string, value: string): void
  abstract json(status: number, body: string, isAscii?: boolean): void
  abstract startStream(): void
  abstract write(text: string, isAscii?: boolean): boolean
  abstract end(text: string, isAscii?: boolean): void
  abstract destroy(): void
  protected abstract onceDrained(listener: () => void): void

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

  holdUnread(): boolean {
    if (!this.#account) return true
    this.#hold ??= this.#openHold(this.#account.budget, this.#account.owner)
    return this.#hold.resize(this.bufferedBytes) === undefined
  }

  onDrain(listener: () => void): void {
    this.onceDrained(() => {
      this.#hold?.release()
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

  // Most replies are gone at once. Others count as soon as the job that produced them no longer does.
  protected countSoon(): void {
    if (this.bufferedBytes === 0) return
    setImmediate(() => {
      if (!this.#isClosed && !this.holdUnread()) this.destroy()
    })
  }

  /** Corrects what is held after some bytes have left. */
  protected recount(): void {
    this.#hold?.resize(this.bufferedBytes)
  }

  #openHold(budget: ByteBudget, owner: Owner): Hold {
    const hold = budget.open(owner)
    this.onClose(() => hold.release())
    return hold
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
