// A device link in the hands of an attacker: it has a valid credential and sends what it likes.

import { once } from 'node:events'
import { parseGatewayFrames, type DeviceFrame, type DeviceModel, type GatewayFrame } from '@hearth/protocol'
import { WebSocket } from 'ws'

export interface LinkOptions {
  origin: string
  credential: string
  models: readonly (Partial<DeviceModel> & { name: string })[]
  onFrame: (frame: GatewayFrame, link: HostileLink) => void
}

export class HostileLink {
  /** Resolves with the close code. */
  readonly closed: Promise<number>
  readonly #socket: WebSocket
  /** Anything sent now would become a part of the message that never ends. */
  #isMute = false

  private constructor(socket: WebSocket, closed: Promise<number>) {
    this.#socket = socket
    this.closed = closed
  }

  /** Resolves once the gateway has welcomed the device. */
  static async open({ origin, credential, models, onFrame }: LinkOptions): Promise<HostileLink> {
    const socket = dial(origin, credential)
    const link = new HostileLink(socket, closeCode(socket))
    const welcomed = Promise.withResolvers<void>()
    socket.on('message', (data: Buffer) =>
      parseGatewayFrames(data.toString(), (frame) => {
        if (frame.type === 'welcome') welcomed.resolve()
        if (frame.type === 'ping' && !link.#isMute) void link.send({ type: 'pong' })
        onFrame(frame, link)
      }),
    )
    await once(socket, 'open')
    await link.send({ type: 'hello', protocols: [1], app: 'hostile', boot: 'b', engine: 'e', models: models.map(full) })
    await Promise.race([welcomed.promise, link.closed])
    return link
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  /** Resolves when the frames have left this process, or never will. */
  async send(...frames: readonly DeviceFrame[]): Promise<void> {
    await this.sendText(JSON.stringify(frames.length === 1 ? frames[0] : frames))
  }

  async sendText(text: string | Uint8Array): Promise<void> {
    const sent = Promise.withResolvers<void>()
    this.#socket.send(text, () => sent.resolve())
    await sent.promise
  }

  /** Sends a message that never ends. Resolves when it has left this process, or never will. */
  async sendUnfinished(text: Uint8Array): Promise<void> {
    this.#isMute = true
    const sent = Promise.withResolvers<void>()
    this.#socket.send(text, { fin: false }, () => sent.resolve())
    await Promise.race([sent.promise, this.closed])
  }

  /** Resolves when the gateway has handled everything sent before. */
  async settled(): Promise<void> {
    if (!this.isOpen) return
    const answered = once(this.#socket, 'pong').catch(() => undefined)
    this.#socket.ping()
    await Promise.race([answered, this.closed])
  }

  close(): void {
    this.#socket.terminate()
  }
}

function dial(origin: string, credential: string): WebSocket {
  return new WebSocket(new URL('/device/v1/link', origin.replace(/^http/, 'ws')), {
    headers: { authorization: `Bearer ${credential}` },
    perMessageDeflate: false,
  })
}

/** The code with which a link closed; the status if it never opened, 1006 if nobody answered. */
async function closeCode(socket: WebSocket): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.on('error', () => {})
  socket.on('unexpected-response', (request, response) => {
    resolve(response.statusCode ?? 0)
    request.destroy()
  })
  socket.on('close', (code) => resolve(code))
  return promise
}

function full(model: Partial<DeviceModel> & { name: string }): DeviceModel {
  return { contextLength: 8192, slots: 4, features: [], ...model }
}
