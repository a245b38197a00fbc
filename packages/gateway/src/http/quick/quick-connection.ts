// One connection of a client, from its first byte until it is closed or goes to node:http. It has at most one request at a time.

import type { Socket } from 'node:net'
import type { RequestKind } from '../../chat/sealing-mode.ts'
import { HTTPS_ONLY } from '../reply/https-only.ts'
import { SocketOutlet } from '../reply/socket-outlet.ts'
import type { Watched } from '../reply/stall-watch.ts'
import type { AnsweredRequest } from '../route.ts'
import { turnTime } from '../turn-time.ts'
import { readQuickRequest, type QuickRequest } from './read-quick-request.ts'

export type AnswerChat = (authorization: string, body: Buffer, outlet: SocketOutlet, kind: RequestKind) => void

export interface QuickOptions {
  /** Longer bodies are for node:http. */
  maxBodyBytes: number
  /** Then requests go to node:http, which says in its replies that the connection ends. */
  isLeaving: () => boolean
  isHttps: boolean
  answerChat: AnswerChat
  onAnswered: (request: AnsweredRequest) => void
  handOver: (socket: Socket) => void
}

type State =
  | { name: 'idle'; hasReplied: boolean }
  /** The beginning of a request is here. Many clients send the head and the body one after the other. */
  | { name: 'reading'; request: QuickRequest; part: Buffer }
  /** `early` is what came after the request. */
  | { name: 'replying'; outlet: SocketOutlet; early: Buffer | undefined }

const NEW: State = { name: 'idle', hasReplied: false }
const IDLE: State = { name: 'idle', hasReplied: true }

/** A client may send this much while it waits for a reply. Few clients send anything; none needs more. */
export const MAX_EARLY_BYTES = 64 * 1024
/** An interim response, of which there may be any number before the reply. */
const STILL_WORKING = 'HTTP/1.1 102 Processing\r\n\r\n'
/** Within a network, the answer takes less. */
const FIRST_PROBE_MS = 20
const LAST_PROBE_MS = 2_000
/** Looks without news after which a request counts as slow. */
const SLOW_LOOKS = 2

export class QuickConnection implements Watched {
  readonly socket: Socket
  readonly #options: QuickOptions
  readonly #leave: () => void
  #state = NEW
  /** The client will send nothing more. */
  #hasEnded = false
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
    return this.#state.name === 'replying'
  }

  destroy(): void {
    this.socket.destroy()
  }

  /** Called at regular intervals. Whoever takes long to send a request goes to node:http, which has limits for that. */
  look(quietLooksAllowed: number): void {
    const state = this.#state
    if (state.name === 'replying' || ++this.#quietLooks < SLOW_LOOKS) return
    if (state.name === 'reading') this.#handOver(state.part)
    else if (!state.hasReplied) this.#handOver()
    else if (this.#quietLooks > quietLooksAllowed) this.socket.destroy()
  }

  readonly #onData = (data: Buffer): void => {
    if (turnTime.isOver) this.#takeLater(data)
    else this.#take(data)
  }

  #takeLater(data: Buffer): void {
    this.socket.pause()
    turnTime.later(() => {
      if (this.socket.destroyed) return
      this.#take(data)
      this.socket.resume()
    })
  }

  #take(data: Buffer): void {
    this.#quietLooks = 0
    const state = this.#state
    if (state.name === 'replying') this.#keep(state, data)
    else if (state.name === 'reading') this.#complete(state.request, Buffer.concat([state.part, data]))
    else this.#begin(data)
  }

  /** Some clients close their half of the connection with the request, and wait for the reply; most that close it are gone. */
  readonly #onEnd = (): void => {
    this.#hasEnded = true
    if (this.#isHeldBack) this.#probe(FIRST_PROBE_MS)
    else this.socket.end()
  }

  /** Nothing of the reply is sent yet. */
  get #isHeldBack(): boolean {
    return this.#state.name === 'replying' && this.#state.outlet.status === 0 && !this.socket.destroyed
  }

  /** The system of a client that is gone rejects this, which the next write finds out. One that waits skips it: no reply has begun. */
  #probe(nextMs: number): void {
    this.socket.write(STILL_WORKING)
    if (nextMs <= LAST_PROBE_MS) setTimeout(() => this.#isHeldBack && this.#probe(10 * nextMs), nextMs).unref()
  }

  readonly #onClose = (): void => {
    this.#leave()
    if (this.#state.name === 'replying') this.#state.outlet.gone()
  }

  readonly #onError = (): void => {
    this.socket.destroy()
  }

  #begin(bytes: Buffer): void {
    const request = readQuickRequest(bytes, this.#options.maxBodyBytes)
    if (!request) this.#handOver(bytes)
    else if (bytes.length < request.bodyEnd) this.#state = { name: 'reading', request, part: bytes }
    else this.#complete(request, bytes)
  }

  /** The rest of a body may come in one more piece: the beginning is copied each time. */
  #complete({ kind, authorization, client, bodyStart, bodyEnd }: QuickRequest, bytes: Buffer): void {
    if (bytes.length !== bodyEnd || this.#options.isLeaving()) return this.#handOver(bytes)
    const outlet = new SocketOutlet(this.socket, client)
    if (this.#options.isHttps) outlet.header(...HTTPS_ONLY)
    this.#state = { name: 'replying', outlet, early: undefined }
    this.#options.answerChat(authorization, bytes.subarray(bodyStart), outlet, kind)
    outlet.onClose(() => this.#replied(outlet))
  }

  #replied({ requestId, status }: SocketOutlet): void {
    const early = this.#state.name === 'replying' ? this.#state.early : undefined
    this.#state = IDLE
    this.#options.onAnswered({ requestId, method: 'POST', route: 'api', status })
    if (early && !this.socket.destroyed) this.#handOver(early)
    // The reply began before it was known that the next request should go elsewhere.
    else if (this.#hasEnded || this.#options.isLeaving()) this.socket.end()
  }

  #keep(state: Extract<State, { name: 'replying' }>, data: Buffer): void {
    state.early = state.early ? Buffer.concat([state.early, data]) : data
    if (state.early.length > MAX_EARLY_BYTES) this.socket.destroy()
  }

  #handOver(bytes?: Buffer): void {
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
