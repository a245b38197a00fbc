// The gateway's end of a link, in memory: a test sees what the device sent and sends whatever it wants.

import {
  encodeFrame,
  parseDeviceFrames,
  type ChatJob,
  type DeviceFrame,
  type GatewayFrame,
  type Hello,
  type JobStart,
} from '@hearth/protocol'
import type { Dial, DialRequest, DialResult, LinkSocket, SocketListener } from '../link/socket.ts'
import type { LinkUser } from '../link/run-link.ts'
import { settle } from './manual-clock.ts'

export const WELCOME: Extract<GatewayFrame, { type: 'welcome' }> = {
  type: 'welcome',
  protocol: 1,
  device: 'device-1',
  organization: 'organization-1',
  pingBusyMs: 5_000,
  pingIdleMs: 15_000,
}

export const HELLO: Hello = { type: 'hello', protocols: [1], app: '0.1.0', boot: 'b', engine: 'echo', models: [] }

/** Greets, and does nothing else. */
export const IDLE_USER: LinkUser = {
  hello: () => HELLO,
  onOpen: () => {},
  onFrame: () => {},
  onModelRequest: () => {},
  onPieceWanted: () => {},
  onNotice: () => {},
  onDefaults: () => {},
  onGone: () => {},
  isBusy: () => false,
}

export function jobStart(job = 'j', content = 'x', change: Partial<ChatJob> = {}): JobStart {
  const request: ChatJob = { model: 'echo', messages: [{ role: 'user', content }], ...change }
  return { type: 'job-start', job, attempt: 0, organization: 'organization-1', request }
}

export function createFakeGateway() {
  const links: FakeLink[] = []
  /** Results of the next dials, one each; after these, every dial succeeds. */
  const answers: Exclude<DialResult, { kind: 'open' }>[] = []
  const open = (...dialed: ConstructorParameters<typeof FakeLink>): DialResult => {
    const link = new FakeLink(...dialed)
    links.push(link)
    return { kind: 'open', socket: link.socket }
  }
  const dial: Dial = (request, listener) => Promise.resolve(answers.shift() ?? open(request, listener))
  return {
    dial,
    links,
    answers,
    /** The current link. */
    get last(): FakeLink {
      const link = links.at(-1)
      if (link === undefined) throw new Error('the device has not dialed yet')
      return link
    },
  }
}

class FakeLink {
  readonly request: DialRequest
  readonly frames: DeviceFrame[] = []
  /** How the device closed the link, if it did. */
  readonly closed: number[] = []
  readonly #listener: SocketListener
  #isClosed = false

  constructor(request: DialRequest, listener: SocketListener) {
    this.request = request
    this.#listener = listener
  }

  readonly socket: LinkSocket = {
    send: (text, sent) => {
      if (!this.#isClosed) parseDeviceFrames(text, (frame) => this.frames.push(frame))
      sent()
    },
    probe: () => {},
    close: (code) => {
      this.closed.push(code)
      this.#close(code)
    },
    terminate: () => this.#close(1006),
  }

  say(...frames: GatewayFrame[]): Promise<void> {
    return this.sayText(frames.length === 1 ? encodeFrame(frames[0]!) : JSON.stringify(frames))
  }

  async sayText(text: string): Promise<void> {
    if (!this.#isClosed) this.#listener.onMessage(text)
    await settle()
  }

  welcome(): Promise<void> {
    return this.say(WELCOME)
  }

  async close(code: number): Promise<void> {
    this.#close(code)
    await settle()
  }

  #close(code: number): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#listener.onClose(code, '')
  }
}
