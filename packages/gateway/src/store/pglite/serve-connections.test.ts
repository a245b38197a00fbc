import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { serveConnections, URGENT } from './serve-connections.ts'
import { simpleQuery } from './wire-messages.ts'

const STARTUP = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0])

function startupOf(name: string): Buffer {
  const bytes = Buffer.from(`00000000user\0postgres\0application_name\0${name}\0\0`)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.writeUInt32BE(3 << 16, 4)
  return bytes
}

let server: Server
let stop: () => Promise<void>
const accepted = new Map<number, Socket>()

afterEach(async () => {
  await stop()
  server.close()
})

/** A database that only knows whether it is in a transaction, and replies to every message with that state. */
class FakeBackend {
  readonly seen: string[] = []
  #inTransaction = false

  isInTransaction(): boolean {
    return this.#inTransaction
  }

  async execProtocolRawStream(message: Uint8Array, { onRawData }: { onRawData: (reply: Uint8Array) => void }) {
    const text = message[0] === 81 ? Buffer.from(message).toString('utf8', 5, message.length - 1) : ''
    if (text) this.seen.push(text)
    if (text === 'fail') throw new Error('the database is broken')
    if (text === 'begin') this.#inTransaction = true
    if (text === 'commit' || text === 'rollback') this.#inTransaction = false
    onRawData(Buffer.from([90, 0, 0, 0, 5, this.#inTransaction ? 84 : 73]))
  }
}

async function serve(silentTurnMs?: number): Promise<{ backend: FakeBackend; fatal: Promise<unknown> }> {
  const backend = new FakeBackend()
  const fatal = Promise.withResolvers<unknown>()
  server = createServer()
  server.on('connection', (socket) => accepted.set(socket.remotePort!, socket))
  stop = serveConnections(server, backend, fatal.resolve, silentTurnMs)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { backend, fatal: fatal.promise }
}

async function join(startup: Buffer = STARTUP): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(startup)
  await once(socket, 'data')
  return socket
}

/** Resolves when the server has read the message, and waits for a turn to answer it. */
async function arrive(socket: Socket, message: Buffer): Promise<void> {
  const atServer = accepted.get(socket.localPort!)!
  const before = atServer.bytesRead
  socket.write(message)
  await vi.waitFor(() => expect(atServer.bytesRead).toBe(before + message.length), { interval: 1, timeout: 30_000 })
  await setImmediate()
}

describe('serveConnections', () => {
  it('[T24b] keeps other connections out of a transaction', async () => {
    const { backend } = await serve()
    const [one, two] = [await join(), await join()]
    one.write(simpleQuery('begin'))
    await once(one, 'data')
    two.write(simpleQuery('two'))
    one.write(simpleQuery('one'))
    await once(one, 'data')
    one.write(simpleQuery('commit'))
    await once(two, 'data')
    expect(backend.seen).toEqual(['begin', 'one', 'commit', 'two'])
  })

  it('[T24g] lets an urgent connection go before all others that wait', async () => {
    const { backend } = await serve()
    const [busy, one, two, urgent] = [await join(), await join(), await join(), await join(startupOf(URGENT))]
    busy.write(simpleQuery('begin'))
    await once(busy, 'data')
    await arrive(one, simpleQuery('one'))
    await arrive(two, simpleQuery('two'))
    await arrive(urgent, simpleQuery('urgent'))
    busy.write(simpleQuery('commit'))
    await Promise.all([one, two, urgent].map((socket) => once(socket, 'data')))
    expect(backend.seen).toEqual(['begin', 'commit', 'urgent', 'one', 'two'])
  })

  it('[T24d] closes a connection that holds its turn in silence, and rolls it back', async () => {
    const { backend } = await serve(50)
    const [silent, waiting] = [await join(), await join()]
    silent.write(simpleQuery('begin'))
    await once(silent, 'data')
    waiting.write(simpleQuery('next'))
    await once(waiting, 'data')
    expect(backend.seen).toEqual(['begin', 'rollback', 'next'])
    expect(silent.destroyed || (await once(silent, 'close'))).toBeTruthy()
  })

  it('[T24f] declines encryption, drops cancel requests and strangers, and serves the next client', async () => {
    await serve()
    const port = (server.address() as AddressInfo).port
    const asking = connect(port, '127.0.0.1')
    asking.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
    expect(String((await once(asking, 'data'))[0])).toBe('N')
    asking.write(STARTUP)
    await once(asking, 'data')
    asking.destroy()
    for (const bytes of [
      [0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2],
      [0, 0, 0, 8, 0, 2, 0, 0],
      [71, 69, 84, 32, 47, 10],
    ]) {
      const socket = connect(port, '127.0.0.1')
      socket.write(Buffer.from(bytes))
      socket.resume()
      await once(socket, 'close')
    }
    ;(await join()).destroy()
  })

  it('reports a failure of the database itself', async () => {
    const { fatal } = await serve()
    ;(await join()).write(simpleQuery('fail'))
    expect(await fatal).toMatchObject({ message: 'the database is broken' })
  })
})
