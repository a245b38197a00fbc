// One link from the dial to its end: the greeting, then frames, both watched for silence. It doesn't know what the job frames mean.

import {
  CLOSE,
  GREETING_MS,
  isModelRequest,
  parseGatewayFrames,
  PROTOCOL_VERSIONS,
  ProtocolError,
  type DeviceFrame,
  type GatewayFrame,
  type Hello,
  type ModelRequestFrame,
  type PieceWanted,
} from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import type { LinkEnd } from './backoff.ts'
import { Outbox } from './outbox.ts'
import type { Dial, DialRequest, DialResult, LinkSocket, SocketListener } from './socket.ts'
import { CHECK_MS, type LinkSigns, judgeLink } from './liveness.ts'

export type Welcome = Extract<GatewayFrame, { type: 'welcome' }>
export type DefaultsFrame = Extract<GatewayFrame, { type: 'defaults' }>
export type JobFrame = Extract<GatewayFrame, { job: string }>

/** Sends frames back to the gateway. Does nothing after the link is gone. */
export interface OpenLink {
  send(frame: DeviceFrame): void
  /** Undefined if there is room; otherwise resolves when there is, or when the link is gone. */
  room(): Promise<void> | undefined
  /** Sends what is left, then closes cleanly. */
  close(): void
}

export interface LinkUser {
  hello(): Hello
  onOpen(link: OpenLink, welcome: Welcome): void
  onFrame(frame: JobFrame): void
  onModelRequest(frame: ModelRequestFrame): void
  onPieceWanted(frame: PieceWanted): void
  onNotice(text: string): void
  onDefaults(frame: DefaultsFrame): void
  /** Called only after onOpen. */
  onGone(): void
  /** Decides which ping interval applies. */
  isBusy(): boolean
}

export interface LinkWorld {
  dial: Dial
  clock: Clock
}

/** The gateway closed the link because of something that dialing again doesn't change. */
const REJECTIONS: ReadonlySet<number> = new Set([CLOSE.malformedFrame, CLOSE.overloaded, CLOSE.internal])

type State =
  | { name: 'greeting'; socket: LinkSocket; outbox: Outbox; since: number }
  | { name: 'open'; socket: LinkSocket; outbox: Outbox; since: number; welcome: Welcome; reconnectInMs?: number }

/** Resolves when the link ends; an aborted signal closes it cleanly. Never rejects. */
export async function runLink(
  world: LinkWorld,
  request: DialRequest,
  user: LinkUser,
  signal: AbortSignal,
): Promise<LinkEnd> {
  const session = new LinkSession(world.clock, user)
  const dialed = await world.dial(request, session, signal)
  return dialed.kind === 'open' ? session.run(dialed.socket, signal) : dialEnd(dialed)
}

class LinkSession implements SocketListener {
  readonly #clock: Clock
  readonly #user: LinkUser
  readonly #ended = Promise.withResolvers<LinkEnd>()
  readonly #signs: LinkSigns
  #state: State | undefined

  constructor(clock: Clock, user: LinkUser) {
    this.#clock = clock
    this.#user = user
    this.#signs = { lastCheckAt: clock.date().getTime(), heardAt: clock.now() }
  }

  async run(socket: LinkSocket, signal: AbortSignal): Promise<LinkEnd> {
    const outbox = new Outbox(socket)
    this.#state = { name: 'greeting', socket, outbox, since: this.#clock.now() }
    const stopChecking = this.#clock.every(CHECK_MS, () => this.#check())
    const leave = (): void => closeInOrder(socket, outbox)
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    outbox.send(this.#user.hello())
    const end = await this.#ended.promise
    stopChecking()
    signal.removeEventListener('abort', leave)
    outbox.close()
    if (!this.#isOpen()) return end
    const wasBusy = this.#user.isBusy()
    this.#user.onGone()
    return end.kind === 'lost' ? { ...end, wasBusy } : end
  }

  #isOpen(): boolean {
    return this.#state?.name === 'open'
  }

  onMessage(text: string): void {
    this.#signs.heardAt = this.#clock.now()
    try {
      parseGatewayFrames(text, (frame) => this.#receive(frame))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.#breakOff(CLOSE.malformedFrame, `the gateway sent a malformed frame: ${error.message}`)
    }
  }

  onSign(): void {
    this.#signs.heardAt = this.#clock.now()
  }

  onClose(code: number, reason: string): void {
    this.#ended.resolve(endOf(this.#state, code, reason, this.#clock.now()))
  }

  #receive(frame: GatewayFrame): void {
    const state = this.#state
    if (state === undefined) return
    if (isModelRequest(frame)) return state.name === 'open' ? this.#user.onModelRequest(frame) : undefined
    switch (frame.type) {
      case 'ping':
        return state.outbox.send({ type: 'pong' })
      case 'notice':
        return this.#user.onNotice(frame.text)
      case 'defaults':
        return state.name === 'open' ? this.#user.onDefaults(frame) : undefined
      case 'welcome':
        return state.name === 'greeting' ? this.#open(state, frame) : undefined
      case 'restarting':
        // The gateway still finishes its requests; stay until it closes the link.
        if (state.name === 'open') state.reconnectInMs = frame.reconnectInMs
        return
      case 'job-start':
      case 'job-part':
      case 'job-cancel':
      case 'job-pause':
      case 'job-resume':
        return state.name === 'open' ? this.#user.onFrame(frame) : undefined
      case 'piece-wanted':
        return state.name === 'open' ? this.#user.onPieceWanted(frame) : undefined
      default:
        return frame satisfies never
    }
  }

  #open(greeting: Extract<State, { name: 'greeting' }>, welcome: Welcome): void {
    const { outbox, socket } = greeting
    if (!PROTOCOL_VERSIONS.includes(welcome.protocol))
      return this.#breakOff(
        CLOSE.noCommonVersion,
        `the gateway chose protocol ${welcome.protocol}, which this app doesn't know`,
      )
    this.#state = { ...greeting, name: 'open', since: this.#clock.now(), welcome }
    const close = (): void => closeInOrder(socket, outbox)
    this.#user.onOpen({ send: (frame) => outbox.send(frame), room: () => outbox.room(), close }, welcome)
  }

  #check(): void {
    const state = this.#state
    const wallAt = this.#clock.date().getTime()
    if (state?.name === 'greeting' && this.#clock.now() - state.since > GREETING_MS)
      this.#breakOff(CLOSE.greetingTimeout, "the gateway didn't respond to the greeting")
    if (state?.name === 'open') this.#judge(state, wallAt)
    this.#signs.lastCheckAt = wallAt
  }

  #judge({ welcome, socket }: Extract<State, { name: 'open' }>, wallAt: number): void {
    const pingMs = this.#user.isBusy() ? welcome.pingBusyMs : welcome.pingIdleMs
    const verdict = judgeLink(this.#signs, wallAt, this.#clock.now(), pingMs)
    if (verdict === 'silent') this.#breakOff(CLOSE.silent, 'the gateway went silent')
    if (verdict !== 'probe') return
    this.#signs.probedAt = this.#clock.now()
    socket.probe()
  }

  #breakOff(code: number, why: string): void {
    if (this.#state === undefined) return
    this.#ended.resolve(lost(why, this.#state, this.#clock.now()))
    this.#state.socket.close(code, '')
    this.#state.socket.terminate()
  }
}

function closeInOrder(socket: LinkSocket, outbox: Outbox): void {
  outbox.flush()
  socket.close(CLOSE.normal, 'leaving')
}

function dialEnd(dialed: Exclude<DialResult, { kind: 'open' }>): LinkEnd {
  if (dialed.kind === 'failed') return { kind: 'lost', why: dialed.why, linkedMs: 0 }
  if (dialed.status === 401) return { kind: 'credential-rejected' }
  if (dialed.status === 426) return { kind: 'app-too-old' }
  const { retryAfterMs } = dialed
  const why =
    dialed.status === 429
      ? 'the gateway asks this device to connect less often'
      : `the gateway returned status ${dialed.status}`
  return { kind: 'lost', why, linkedMs: 0, isRejected: true, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

function endOf(state: State | undefined, code: number, reason: string, now: number): LinkEnd {
  if (code === CLOSE.revoked) return { kind: 'credential-rejected' }
  if (code === CLOSE.superseded) return { kind: 'superseded' }
  if (code === CLOSE.inUse) return { kind: 'in-use' }
  if (code === CLOSE.noCommonVersion) return { kind: 'app-too-old' }
  if (state?.name === 'open' && state.reconnectInMs !== undefined)
    return { kind: 'restarting', reconnectInMs: state.reconnectInMs }
  const why = reason === '' ? `the connection was closed (${code})` : `the connection was closed: ${reason}`
  return { ...lost(why, state, now), isRejected: REJECTIONS.has(code) }
}

function lost(why: string, state: State | undefined, now: number): Extract<LinkEnd, { kind: 'lost' }> {
  return { kind: 'lost', why, linkedMs: state?.name === 'open' ? now - state.since : 0 }
}
