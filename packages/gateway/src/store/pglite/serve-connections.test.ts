import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { serveConnections } from './serve-connections.ts'
import { simpleQuery } from './wire-messages.ts'

const STARTUP = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0])

let server: Server
let stop: () => Promise<void>

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
  stop = serveConnections(server, backend, fatal.resolve, silentTurnMs)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { backend, fatal: fatal.promise }
}

async function join(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(STARTUP)
  await once(socket, 'data')
  return socket
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
