// A proxy in front of a server that can stop passing anything on, in both directions, like a network that loses every packet. Nobody's
// connection is closed by that.

import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { startTcpProxy, type TcpProxy } from './listen.ts'

export interface CuttableLine extends TcpProxy {
  cut(): void
  heal(): void
}

/** Listens on the path, or else on a free port of this machine. */
export async function startCuttableLine(target: NetConnectOpts, path?: string): Promise<CuttableLine> {
  let isCut = false
  const pass = (socket: Socket, other: Socket) => {
    socket.on('data', (data) => other.write(data))
    socket.on('end', () => other.end())
    socket.on('error', () => other.destroy())
    if (isCut) socket.pause()
    else socket.resume()
  }
  const proxy = await startTcpProxy((inside, keep) => {
    const outside = keep(connect(target))
    pass(inside, outside)
    pass(outside, inside)
  }, path)
  return {
    ...proxy,
    cut() {
      isCut = true
      for (const socket of proxy.sockets) socket.pause()
    },
    heal() {
      isCut = false
      for (const socket of proxy.sockets) socket.resume()
    },
  }
}
