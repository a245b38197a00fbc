// A TCP proxy between a device and the gateway, like a Wi-Fi that drops: `cut` breaks every connection at once.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface CuttableLink extends AsyncDisposable {
  /** Where the device finds the gateway. */
  origin: string
  cut(): void
}

export async function startCuttableLink(gateway: string): Promise<CuttableLink> {
  const { hostname, port } = new URL(gateway)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = createServer((inside) => {
    const outside = connect(Number(port), hostname)
    for (const socket of [inside, outside]) keep(socket)
    inside.pipe(outside).pipe(inside)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => sockets.forEach((socket) => socket.destroy())
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
