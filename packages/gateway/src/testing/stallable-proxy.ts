// A TCP proxy to a port of this machine that can stop passing on what the server says, like a peer that no longer reads.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type StallableProxy = Awaited<ReturnType<typeof startStallableProxy>>

export async function startStallableProxy(target: number) {
  const servers = new Set<Socket>()
  let isStalled = false
  const proxy = createServer((client) => {
    const server = connect(target, '127.0.0.1')
    servers.add(server)
    client.pipe(server)
    server.on('data', (data) => client.write(data))
    if (isStalled) server.pause()
    const end = () => {
      servers.delete(server)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    stall() {
      isStalled = true
      for (const server of servers) server.pause()
    },
    resume() {
      isStalled = false
      for (const server of servers) server.resume()
    },
    async close(): Promise<void> {
      for (const server of servers) server.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
