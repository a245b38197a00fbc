// The gateway's end of a link, in memory: a test sees what the device sent and sends whatever it wants.

import {
  encodeFrame,
  parseDeviceFrames,
  type ChatJob,
  type DeviceFrame,
  type GatewayFrame,
  type JobStart,
} from '@hearth/protocol'
import type { Dial, DialRequest, DialResult, SocketListener } from '../link/socket.ts'
import { settle } from './manual-clock.ts'

export interface FakeLink {
  request: DialRequest
  frames: DeviceFrame[]
  /** How the device closed the link, if it did. */
  closed: number[]
  say(...frames: GatewayFrame[]): Promise<void>
  sayText(text: string): Promise<void>
  welcome(fields?: Partial<typeof WELCOME>): Promise<void>
  close(code: number, reason?: string): Promise<void>
}

export interface FakeGateway {
  dial: Dial
  links: FakeLink[]
  /** The current link. */
  readonly last: FakeLink
  /** Results of the next dials, one each; after these, every dial succeeds. */
  answers: Exclude<DialResult, { kind: 'open' }>[]
}

export const WELCOME: Extract<GatewayFrame, { type: 'welcome' }> = {
  type: 'welcome',
  protocol: 1,
  device: 'device-1',
  organization: 'organization-1',
  pingBusyMs: 5_000,
  pingIdleMs: 15_000,
}

export function jobStart(job = 'j', content = 'x', change: Partial<ChatJob> = {}): JobStart {
  const request: ChatJob = { model: 'echo', messages: [{ role: 'user', content }], ...change }
  return { type: 'job-start', job, attempt: 0, organization: 'organization-1', request }
}

export function createFakeGateway(): FakeGateway {
  const links: FakeLink[] = []
  const answers: Exclude<DialResult, { kind: 'open' }>[] = []
  return {
    links,
    answers,
    get last() {
      const link = links.at(-1)
      if (link === undefined) throw new Error('the device has not dialed yet')
      return link
    },
    dial(request, listener) {
      const answer = answers.shift()
      return Promise.resolve(answer ?? openLink(request, listener, links))
    },
  }
}

function openLink(request: DialRequest, listener: SocketListener, links: FakeLink[]): DialResult {
  let isClosed = false
  const close = (code: number, reason: string): void => {
    if (isClosed) return
    isClosed = true
    listener.onClose(code, reason)
  }
  const link: FakeLink = {
    request,
    frames: [],
    closed: [],
    say: (...frames) => link.sayText(frames.length === 1 ? encodeFrame(frames[0]!) : JSON.stringify(frames)),
    async sayText(text) {
      if (!isClosed) listener.onMessage(text)
      await settle()
    },
    welcome: (fields) => link.say({ ...WELCOME, ...fields }),
    async close(code, reason = '') {
      close(code, reason)
      await settle()
    },
  }
  links.push(link)
  const socket = {
    send(text: string, sent: () => void) {
      if (!isClosed) parseDeviceFrames(text, (frame) => link.frames.push(frame))
      sent()
    },
    probe: () => {},
    close(code: number) {
      link.closed.push(code)
      close(code, '')
    },
    terminate: () => close(1006, ''),
  }
  return { kind: 'open', socket }
}
