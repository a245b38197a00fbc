// node:http with the quick connections in front of it: they get every new connection, and hand over what they cannot answer.

import { Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { QuickConnections, type QuickConnectionsOptions } from './quick-connections.ts'

export class QuickServer extends Server {
  readonly #quick: QuickConnections

  constructor(options: ServerOptions, quick: Omit<QuickConnectionsOptions, 'handOver'>) {
    super(options)
    const [toNodeHttp] = this.listeners('connection') as ((socket: Socket) => void)[]
    this.#quick = new QuickConnections({ ...quick, handOver: (socket) => toNodeHttp!.call(this, socket) })
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
