// Takes the port before anything else starts: a port in use is a common mistake, and quick to find. It is kept until Hearth ends, and all
// gateways get the same listening sockets. A new connection waits there for the first gateway that takes it, so one that hangs gets none,
// one that is replaced loses none, and while a lone gateway starts, clients wait.

import { spawnSync } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { BoundSocket, type BoundSocketOptions } from 'node:net'
import { countListeners } from '@hearth/gateway'
import { isRunning, listInstances } from '@hearth/instances'
import { UsageError } from './options.ts'

const HIGHEST_PORT = 65_535
const MOST_TRIED = 100
const LOOPBACK = '127.0.0.1'

export interface ListeningSockets extends Disposable {
  /** Of the sockets; none on Windows, where each gateway opens its own. */
  readonly descriptors: readonly number[]
}

export async function openListeningSockets(port: number, host = LOOPBACK): Promise<ListeningSockets> {
  const { address } = await lookup(host)
  try {
    const sockets = openAll(port, address)
    return {
      descriptors: descriptorsOf(sockets),
      [Symbol.dispose]: () => sockets.forEach((socket) => socket.close()),
    }
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    const advice = `Try another one: npm start -- --port ${findFree(port, address)}`
    if (code !== 'EADDRINUSE') throw new UsageError(`Cannot use port ${port} (${code}). ${advice}`)
    throw new UsageError(`Port ${port} is already in use by ${describeUser(port)}. ${advice}`)
  }
}

/** Linux spreads connections over sockets that share a port; a process takes one connection of each at a time. */
function openAll(port: number, host: string): BoundSocket[] {
  // Sockets that share the port would also share it with another program's, so first one that doesn't.
  new BoundSocket({ port, host }).close()
  const reusePort = process.platform === 'linux'
  const count = reusePort ? countListeners() : 1
  const sockets = Array.from({ length: count }, () => new BoundSocket({ port, host, reusePort }))
  const version6 = host === LOOPBACK ? bindIfThere({ port, host: '::1', ipv6Only: true }) : []
  startListening([...sockets.slice(0, 1), ...version6])
  return [...sockets, ...version6]
}

const LISTEN = `for (let fd = 2 + Number(process.argv[1]); fd > 2; fd--) require('node:net').createServer().listen({ fd }).unref()`

/**
 * Another program can still bind to a port that is only bound, and listen there first. Where this process listens, it would also take
 * connections, so one starts to listen that ends at once: the sockets go on listening without it.
 */
function startListening(sockets: readonly BoundSocket[]): void {
  const descriptors = descriptorsOf(sockets)
  const { error, status } = spawnSync(process.execPath, ['-e', LISTEN, String(descriptors.length)], {
    stdio: ['ignore', 'ignore', 'ignore', ...descriptors],
  })
  if (status !== 0) throw error ?? Object.assign(new Error('Cannot listen on the port'), { code: 'EADDRINUSE' })
}

/** None on Windows. */
function descriptorsOf(sockets: readonly BoundSocket[]): number[] {
  return sockets.map((socket) => socket.fd()).filter((descriptor) => descriptor >= 0)
}

/** `localhost` is this address too, and some clients try no other. A machine without it has none to bind to. */
function bindIfThere(options: BoundSocketOptions): BoundSocket[] {
  try {
    return [new BoundSocket(options)]
  } catch {
    return []
  }
}

/** The next one that is free now. */
function findFree(port: number, host: string): number {
  const from = Math.max(port, 1024) + 1
  for (let next = from; next < Math.min(from + MOST_TRIED, HIGHEST_PORT); next++)
    for (const free of bindIfThere({ port: next, host })) {
      free.close()
      return next
    }
  return 8080
}

function describeUser(port: number): string {
  const hearth = listInstances(process.env).find(
    ({ url, ...one }) => new URL(url).port === String(port) && isRunning(one),
  )
  return hearth ? `the Hearth in ${hearth.folder} (process ID ${hearth.pid})` : 'another program'
}
