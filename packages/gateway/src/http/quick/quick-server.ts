// node:http with the quick connections in front of it: they get every new connection, and hand over what they cannot answer.

import { Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { QuickConnections, type QuickConnectionsOptions } from './quick-connections.ts'

export type { AnswerChat } from './quick-connection.ts'

export class QuickServer extends Server {
  readonly #quick: QuickConnections

  constructor(options: ServerOptions, quick: Omit<QuickConnectionsOptions, 'handOver'>) {
    super(options)
    const ofNodeHttp = this.listeners('connection')
    const handOver = (socket: Socket) => {
      for (const listener of ofNodeHttp) listener.call(this, socket)
    }
    this.#quick = new QuickConnections({ ...quick, handOver })
    this.removeAllListeners('connection')
    this.on('connection', (socket) => this.#quick.take(socket))
  }

  override closeIdleConnections(): void {
    this.#quick.closeIdle()
    super.closeIdleConnections()
  }

  override closeAllConnections(): void {
    this.#quick.closeAll()
    super.closeAllConnections()
  }
}
