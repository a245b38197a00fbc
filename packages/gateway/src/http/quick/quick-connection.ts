// One connection of a client, from its first byte until it is closed or goes to node:http. It has at most one request at a time.

import type { Socket } from 'node:net'
import { randomHex } from '../../ids.ts'
import type { Watched } from '../stall-watch.ts'
import { readQuickRequest, type QuickRequest } from './read-quick-request.ts'
import { SocketOutlet } from './socket-outlet.ts'

export interface QuickOptions {
  /** Longer bodies are for node:http. */
  maxBodyBytes: number
  /** The lines at the end of every head. */
  closing: string
  /** False while requests have to go to node:http. */
  isOpen: () => boolean
  answer: (authorization: string, body: Buffer, outlet: SocketOutlet) => void
  handOver: (socket: Socket) => void
}

/** What a client may send while it waits for a reply. Few clients do; none needs more. */
const MAX_EARLY_BYTES = 64 * 1024

export class QuickConnection implements Watched {
  readonly socket: Socket
  readonly #options: QuickOptions
  readonly #leave: () => void
  /** The beginning of a request. Many clients send the head and the body one after the other. */
  #part: Buffer | undefined
  /** The request that `#part` begins. */
  #request: QuickRequest | undefined
  #reply: SocketOutlet | undefined
  /** What came after the request while its reply is open. */
  #early: Buffer | undefined
  #isNew = true
  /** Since something happened. */
  #quietLooks = 0

  constructor(socket: Socket, options: QuickOptions, leave: () => void) {
    this.socket = socket
    this.#options = options
    this.#leave = leave
    socket.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onClose).on('error', this.#onError)
  }

  get writableLength(): number {
    return this.socket.writableLength
  }

  get isReplying(): boolean {
    return this.#reply !== undefined
  }

  destroy(): void {
    this.socket.destroy()
  }

  /** Called at regular intervals. Whoever takes long to send a request goes to node:http, which has limits for that. */
  look(quietLooksAllowed: number): void {
    if (this.#reply || ++this.#quietLooks < 2) return
    if (this.#isNew || this.#part) this.#handOver(this.#part)
    else if (this.#quietLooks > quietLooksAllowed) this.socket.destroy()
  }

  readonly #onData = (data: Buffer): void => {
    this.#quietLooks = 0
    if (this.#reply) return this.#keep(data)
    const bytes = this.#part ? Buffer.concat([this.#part, data]) : data
    const request = this.#request ?? readQuickRequest(bytes)
    if (!request || !this.#fits(request, bytes) || !this.#options.isOpen()) return this.#handOver(bytes)
    if (bytes.length === request.bodyEnd) return this.#answer(request, bytes)
    this.#request = request
    this.#part = bytes
  }

  readonly #onEnd = (): void => {
    this.socket.end()
  }

  readonly #onClose = (): void => {
    this.#leave()
    this.#reply?.gone()
  }

  readonly #onError = (): void => {
    this.socket.destroy()
  }

  /** The rest of a body may come once: the beginning is copied each time. */
  #fits({ bodyStart, bodyEnd }: QuickRequest, bytes: Buffer): boolean {
    const isSmall = bodyEnd - bodyStart <= this.#options.maxBodyBytes
    return isSmall && (bytes.length === bodyEnd || (bytes.length < bodyEnd && this.#part === undefined))
  }

  #answer({ authorization, bodyStart }: QuickRequest, bytes: Buffer): void {
    this.#part = undefined
    this.#request = undefined
    this.#isNew = false
    const outlet = new SocketOutlet(this.socket, `req_${randomHex(16)}`, this.#options.closing)
    this.#reply = outlet
    this.#options.answer(authorization, bytes.subarray(bodyStart), outlet)
    outlet.onClose(() => this.#replied())
  }

  #replied(): void {
    this.#reply = undefined
    const early = this.#early
    this.#early = undefined
    if (early && !this.socket.destroyed) this.#handOver(early)
    // The reply began before it was known that the next request should go elsewhere.
    else if (!this.#options.isOpen()) this.socket.end()
  }

  #keep(data: Buffer): void {
    this.#early = this.#early ? Buffer.concat([this.#early, data]) : data
    if (this.#early.length > MAX_EARLY_BYTES) this.socket.destroy()
  }

  #handOver(bytes: Buffer | undefined): void {
    this.#leave()
    this.socket
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('close', this.#onClose)
      .off('error', this.#onError)
    this.#options.handOver(this.socket)
    if (bytes) this.socket.unshift(bytes)
  }
}
