// Counts the turns of a gateway's event loop from outside: a client asks over and over again on an open connection. A request that is there
// when a turn begins is answered in this turn, and the next one waits for the next turn.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export const REQUEST = 'GET /healthz HTTP/1.1\r\nhost: bench\r\n\r\n'

export class TurnClock {
  turns = 0
  readonly #socket: Socket

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', () => {
      this.turns += 1
      socket.write(REQUEST)
    })
    socket.write(REQUEST)
  }

  static async start(port: number): Promise<TurnClock> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    const clock = new TurnClock(socket)
    await once(socket, 'data')
    return clock
  }

  stop(): void {
    this.#socket.destroy()
  }
}
