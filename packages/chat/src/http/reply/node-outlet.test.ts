import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { ByteBudget } from '../../budget/byte-budget.ts'
import { NodeOutlet } from './node-outlet.ts'
import { SharedBytes } from './shared-bytes.ts'

const MIB = 1024 * 1024
const CALLER = { organization: 'acme', key: 'k' }

const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

async function open(budget: ByteBudget, reply: (outlet: NodeOutlet, response: ServerResponse) => void) {
  const responses: ServerResponse[] = []
  const server = createServer((_request, response) => {
    responses.push(response)
    const outlet = new NodeOutlet(response, { requestId: 'req_1' })
    outlet.chargeTo(budget, CALLER)
    reply(outlet, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return { port: (server.address() as AddressInfo).port, responses, server }
}

/** Sends a request and reads nothing. */
function stall(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.pause().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  closers.push(() => socket.destroy())
  return socket
}

async function get(port: number): Promise<IncomingMessage> {
  const [response] = (await once(ask({ port }).end(), 'response')) as [IncomingMessage]
  return response
}

async function counted(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('replies over node:http', () => {
  it.each([10, 300_000, 5_000_000])('[J101d] arrive complete: %i characters', async (length) => {
    const body = 'é'.repeat(length)
    const budget = new ByteBudget(300 * MIB)
    const { port } = await open(budget, (outlet) => outlet.whole(200, 'text/plain; charset=utf-8', body))
    expect((await text(await get(port))) === body).toBe(true)
    // The client may have all of it before the server hears that it was sent.
    await expect.poll(() => budget.usedBytes).toBe(0)
  })

  it('[J101b] count while they are not read, and no longer once the client is gone', async () => {
    const budget = new ByteBudget(300 * MIB)
    const { port, responses, server } = await open(budget, (outlet) => outlet.json(200, 'x'.repeat(32 * MIB)))
    stall(port)
    await once(server, 'request')
    await counted()
    expect(budget.usedBytes).toBeGreaterThan(16 * MIB)
    const closed = once(responses[0]!, 'close')
    closers.at(-1)!()
    await closed
    expect(budget.usedBytes).toBe(0)
  })

  it('[J101b] are cut off if there is no memory for them', async () => {
    const { port, responses, server } = await open(new ByteBudget(30 * MIB), (outlet) =>
      outlet.json(200, 'x'.repeat(32 * MIB)),
    )
    stall(port)
    await once(server, 'request')
    await counted()
    expect(responses[0]!.destroyed).toBe(true)
  })

  it('[J101b] count for streams until the client has caught up', async () => {
    const budget = new ByteBudget(300 * MIB)
    const drained = Promise.withResolvers<void>()
    let isTaken: boolean | undefined
    const { port, server } = await open(budget, (outlet) => {
      outlet.startStream()
      isTaken = outlet.write('x'.repeat(32 * MIB))
      expect(outlet.reserveUnread()).toBe(true)
      outlet.onDrain(drained.resolve)
    })
    const socket = stall(port)
    await once(server, 'request')
    expect(isTaken).toBe(false)
    expect(budget.usedBytes).toBeGreaterThan(16 * MIB)
    socket.resume()
    await drained.promise
    expect(budget.usedBytes).toBe(0)
  })

  it('[J101b] count once if they share their bytes, however many do not read them', async () => {
    const budget = new ByteBudget(300 * MIB)
    const body = Buffer.alloc(32 * MIB, 'x')
    const shared = new SharedBytes(body, budget, 'acme')
    const end = new SharedBytes(Buffer.from('.'), budget, 'acme')
    const { port, responses } = await open(budget, (outlet) => outlet.shared(200, 'text/plain', [shared, end]))
    for (let client = 0; client < 8; client++) stall(port)
    await expect.poll(() => responses.length).toBe(8)
    await counted()
    expect(budget.usedBytes).toBeGreaterThan(32 * MIB)
    expect(budget.usedBytes).toBeLessThan(36 * MIB)
    expect((await text(await get(port))) === `${body.toString()}.`).toBe(true)
    for (const close of closers.splice(2)) close()
    await expect.poll(() => budget.usedBytes).toBe(0)
  })

  it('[J101b] are not sent if there is no room for bytes that they share', async () => {
    const budget = new ByteBudget(30 * MIB)
    const shared = new SharedBytes(Buffer.alloc(32 * MIB), budget, 'acme')
    const { port } = await open(budget, (outlet) => {
      expect(() => outlet.shared(200, 'text/plain', [shared])).toThrow(
        expect.objectContaining({ code: 'rate_limit_exceeded' }),
      )
      outlet.empty(429)
    })
    expect((await get(port)).statusCode).toBe(429)
  })
})
