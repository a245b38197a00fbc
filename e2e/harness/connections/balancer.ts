// A plain TCP balancer in front of several gateways: each new connection goes to the next one that accepts it, and that says it is ready if
// the balancer asks.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { startTcpProxy } from './listen.ts'

export interface Balancer extends AsyncDisposable {
  /** http://127.0.0.1:<port> */
  origin: string
  /** New connections go to these from now on. */
  use(origins: readonly string[]): void
}

const ASK_AGAIN_MS = 50

/** With `isAsking`, gateways whose /readyz returns an error get no new connections. */
export async function startBalancer(isAsking = false): Promise<Balancer> {
  const unready = new Set<string>()
  const asking = isAsking
    ? setInterval(() => targets.forEach((target) => void ask(target, unready)), ASK_AGAIN_MS)
    : undefined
  let targets: readonly string[] = []
  let turn = 0
  const proxy = await startTcpProxy((client, keep) => {
    const ready = targets.filter((target) => !unready.has(target))
    const order = ready.map((_, index) => ready[(turn + index) % ready.length]!)
    turn++
    return join(client, order, keep)
  })
  return {
    origin: proxy.origin,
    use: (origins) => {
      targets = origins
    },
    async [Symbol.asyncDispose]() {
      clearInterval(asking)
      await proxy[Symbol.asyncDispose]()
    },
  }
}

async function ask(gateway: string, unready: Set<string>): Promise<void> {
  const isReady = await fetch(`${gateway}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isReady) unready.delete(gateway)
  else unready.add(gateway)
}

async function join(client: Socket, origins: readonly string[], keep: (socket: Socket) => unknown): Promise<void> {
  for (const origin of origins) {
    const gateway = await dial(origin)
    if (gateway === undefined) continue
    keep(gateway)
    // Both ends break together, as they do when a process behind a real balancer dies.
    client.once('close', () => gateway.destroy())
    gateway.once('close', () => client.destroy())
    client.pipe(gateway).pipe(client)
    return
  }
  client.destroy()
}

async function dial(origin: string): Promise<Socket | undefined> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return undefined
  }
}
