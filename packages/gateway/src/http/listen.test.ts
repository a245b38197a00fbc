import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { errorCode } from '../error-code.ts'
import { countListeners, listen, type ListenAddress, type Listening } from './listen.ts'

const LOCAL: ListenAddress = { port: 0, host: '127.0.0.1' }
const CROWD = 300

async function start(address = LOCAL, canShare?: boolean): Promise<Listening & { server: Server }> {
  const server = createServer((_request, response) => response.end('hello'))
  const listening = await listen(server, address, canShare)
  onTestFinished(() => listening.close())
  return { server, ...listening }
}

/** The code of the error that stops a gateway from listening there. */
async function refusal(address: ListenAddress, canShare?: boolean): Promise<string | undefined> {
  return listen(createServer(), address, canShare).then(
    async (listening) => {
      await listening.close()
      return undefined
    },
    (error: unknown) => errorCode(error),
  )
}

async function ask(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })
  return response.text()
}

describe('the port of a gateway', () => {
  it('takes a crowd of connections within a few turns of the event loop', async () => {
    const { server, port } = await start()
    let turns = 0
    const count = () => void (turns++, (timer = setImmediate(count)))
    let timer = setImmediate(count)
    const taken: number[] = []
    const all = Promise.withResolvers<void>()
    server.on('connection', () => taken.push(turns) === CROWD && all.resolve())
    const clients = Array.from({ length: CROWD }, () => connect(port, '127.0.0.1'))
    await all.promise
    clearImmediate(timer)
    for (const client of clients) client.destroy()
    const [first, last] = [taken[0]!, taken.at(-1)!]
    expect(last - first).toBeLessThan(process.platform === 'linux' ? CROWD / 4 : CROWD + 1)
  })

  it.each([true, false])('belongs to one gateway; a second one fails to start (shared: %s)', async (canShare) => {
    const { port } = await start(LOCAL, canShare && process.platform === 'linux')
    for (const host of ['127.0.0.1', '0.0.0.0']) expect(await refusal({ port, host })).toBe('EADDRINUSE')
    expect(await ask(port)).toBe('hello')
  })

  it('is the same for localhost in both kinds of addresses, on a machine that has both', async () => {
    const { port } = await start()
    const hasVersion6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
    const answer = fetch(`http://[::1]:${port}/`, { headers: { connection: 'close' } }).then((reply) => reply.text())
    await (hasVersion6 ? expect(answer).resolves.toBe('hello') : expect(answer).rejects.toThrow())
  })

  it('is shared by gateways of one service where the system can spread connections', async () => {
    const shared = { ...LOCAL, isShared: true }
    const { port } = await start(shared)
    expect(await refusal({ ...shared, port })).toBe(process.platform === 'linux' ? undefined : 'EADDRINUSE')
    expect(await refusal({ ...LOCAL, port })).toBe('EADDRINUSE')
  })

  it('has fewer listeners where a process may open few files', () => {
    expect([128, 256, 20_000, Number.POSITIVE_INFINITY].map(countListeners)).toEqual([32, 64, 256, 256])
  })

  it('goes to one of two gateways that start at the same moment', async () => {
    const before = await listen(createServer(), LOCAL)
    await before.close()
    const address = { ...LOCAL, port: before.port }
    const results = await Promise.allSettled([start(address), start(address)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('is not taken from another program', async () => {
    const other = createTcpServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    expect(await refusal({ ...LOCAL, port: (other.address() as { port: number }).port })).toBe('EADDRINUSE')
  })

  it.each([true, false])('is free for the next gateway once it is closed (shared: %s)', async (canShare) => {
    const shared = canShare && process.platform === 'linux'
    const before = await listen(createServer(), LOCAL, shared)
    await before.close()
    const next = await start({ ...LOCAL, port: before.port }, shared)
    expect(await ask(next.port)).toBe('hello')
  })

  it('ends idle connections when it is closed, whichever listener took them', async () => {
    const server = createServer((_request, response) => response.end('hello'))
    const listening = await listen(server, LOCAL)
    const clients = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const client = connect(listening.port, '127.0.0.1').resume()
        client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
        await once(client, 'data')
        return client
      }),
    )
    const ended = clients.map((client) => once(client, 'close'))
    await listening.close()
    // None of them with an error.
    expect(await Promise.all(ended)).toEqual(clients.map(() => [false]))
  })
})
