// Every new connection starts here. Requests for chat completions, in the clear or sealed, are
// answered on the bare socket, which costs about two thirds of what node:http takes for a whole
// reply. At the first byte of anything else, the connection goes to node:http for good, with
// everything that was read of the request. It only ever changes hands between two requests, so
// node:http notices nothing.

import type { Socket } from 'node:net'
import { KEEP_ALIVE_MS } from '@hearth/chat'
import type { StallWatch } from '../reply/stall-watch.ts'
import { QuickConnection, type QuickOptions } from './quick-connection.ts'

/** How often connections are looked at. */
const LOOK_MS = 5_000
/** Longer bodies are read by node:http, as they arrive. */
const MAX_BODY_BYTES = 128 * 1024

export interface QuickConnectionsOptions extends QuickOptions {
  /** Disconnects clients that don't read. It gets connections and not replies, because it has to do much less for them. */
  stalls: StallWatch
}

export class QuickConnections {
  readonly #options: QuickConnectionsOptions
  readonly #open = new Set<QuickConnection>()
  readonly #timer: NodeJS.Timeout

  constructor(options: QuickConnectionsOptions) {
    this.#options = { ...options, maxBodyBytes: Math.min(MAX_BODY_BYTES, options.maxBodyBytes) }
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  take(socket: Socket): void {
    const connection = new QuickConnection(socket, this.#options, () => this.#leave(connection))
    this.#open.add(connection)
    this.#options.stalls.add(connection)
  }

  closeIdle(): void {
    for (const connection of this.#open) if (!connection.isReplying) connection.destroy()
  }

  closeAll(): void {
    clearInterval(this.#timer)
    for (const connection of this.#open) connection.destroy()
  }

  #leave(connection: QuickConnection): void {
    this.#open.delete(connection)
    this.#options.stalls.remove(connection)
  }

  #look(): void {
    for (const connection of this.#open) connection.look(KEEP_ALIVE_MS / LOOK_MS)
  }
}
