import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ByteBudget, NodeOutlet } from '@hearth/chat'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StallWatch } from '../reply/stall-watch.ts'
import { QuickServer } from './quick-server.ts'
import type { SocketOutlet } from '../reply/socket-outlet.ts'
import type { AnsweredRequest } from '../route.ts'

const MIB = 1024 * 1024
const HEAD_END = '\r\n\r\n'

/** A server whose other requests are answered by node:http with their path. */
async function open(answer: (body: string, outlet: SocketOutlet) => void) {
  const stalls = new StallWatch(75_000)
  /** The status of every reply on a bare socket that is over. */
  const statuses: number[] = []
  const quick = {
    maxBodyBytes: 100,
    stalls,
    isLeaving: () => false,
    isHttps: false,
    answerChat: (_authorization: string, body: Buffer, outlet: SocketOutlet) => answer(body.toString(), outlet),
    onAnswered: ({ status }: AnsweredRequest) => statuses.push(status),
  }
  const server = new QuickServer({ keepAliveTimeout: 75_000 }, quick)
  server.on('request', (request, response) => {
    request
      .resume()
      .once('end', () => new NodeOutlet(response, { requestId: 'req_1' }).json(200, `node ${request.url}`))
  })
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  const { port } = new URL(await serveHere(server))
  const client = connect(Number(port), '127.0.0.1').on('error', () => {})
  onTestFinished(() => {
    client.destroy()
    stalls.close()
  })
  return {
    client,
    server,
    statuses,
    ...collect(client),
    /** The server has read everything that the client wrote. */
    isRead: async () => {
      while (sockets[0]?.bytesRead !== client.bytesWritten) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

function collect(client: Socket) {
  let all = ''
  client.setEncoding('utf8').on('data', (text: string) => (all += text))
  return {
    /** Resolves once the client is disconnected, with all that it received. */
    closed: new Promise<string>((resolve) => client.once('close', () => resolve(all))),
    /** Everything that the client has received, once its end contains this text. */
    received: async (text: string) => {
      while (!all.slice(-100).includes(text)) await once(client, 'data')
      return all
    },
  }
}

function chat(body: string): string {
  return `POST /openai/v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer k\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}${HEAD_END}${body}`
}

const OTHER = `GET /other HTTP/1.1\r\nhost: x${HEAD_END}`

describe('connections of clients', () => {
  it('get the same head for a chat request as from node:http', async () => {
    const { client, received } = await open((_body, outlet) => outlet.json(200, 'quick'))
    client.write(chat('{}'))
    const quick = await received('quick')
    client.write(OTHER)
    const node = (await received('node /other')).slice(quick.length)
    const comparable = (text: string) =>
      text
        .split(HEAD_END)[0]!
        .replace(/req_\w+/, 'req')
        .replace(/Date: .*|content-length: \d+/g, '')
    expect(comparable(quick)).toBe(comparable(node))
  })

  it('may send the head and the body one after the other', async () => {
    const { client, received, isRead } = await open((body, outlet) => outlet.json(200, `quick ${body}`))
    const request = chat('{"a":1}')
    client.write(request.slice(0, -7))
    await isRead()
    client.write('{"a":1}')
    expect(await received('quick {"a":1}')).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('go to node:http with a request that is too large, cut in pieces or not plain', async () => {
    for (const [first, ...rest] of [
      [chat('x'.repeat(101))],
      [chat('{}').slice(0, 30), chat('{}').slice(30)],
      [OTHER],
      [chat('{}').replace('POST', 'PUT')],
    ]) {
      const { client, received, isRead } = await open((_body, outlet) => outlet.json(200, 'quick'))
      client.write(first!)
      for (const part of rest) {
        await isRead()
        client.write(part)
      }
      expect(await received('node /')).not.toContain('quick')
    }
  })

  it('get the error of node:http for a chat request with more headers than it allows', async () => {
    const { client, closed } = await open((_body, outlet) => outlet.json(200, 'quick'))
    client.write(chat('{}').replace('host', `${'a:\r\n'.repeat(1_100)}host`))
    expect(await closed).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('get one reply after the other, in order', async () => {
    const outlets: SocketOutlet[] = []
    const { client, received, isRead } = await open((_body, outlet) => outlets.push(outlet))
    client.write(chat('{}'))
    await isRead()
    client.write(OTHER)
    await isRead()
    outlets[0]!.json(200, 'quick')
    const text = await received('node /other')
    expect(text.indexOf('quick')).toBeGreaterThan(0)
    expect(text.indexOf('quick')).toBeLessThan(text.indexOf('node /other'))
  })

  it('are closed if they keep sending without waiting for a reply', async () => {
    const { client, closed, isRead } = await open(() => {})
    client.write(chat('{}'))
    await isRead()
    client.write(OTHER.repeat(5_000))
    expect(await closed).toBe('')
  })

  it('stream in chunks', async () => {
    const { client, received } = await open((_body, outlet) => {
      outlet.startStream()
      outlet.write('data: é\n\n')
      outlet.end('data: [DONE]\n\n')
    })
    client.write(chat('{}'))
    expect((await received('0\r\n\r\n')).split(HEAD_END).slice(1).join(HEAD_END)).toBe(
      'a\r\ndata: é\n\n\r\ne\r\ndata: [DONE]\n\n\r\n0\r\n\r\n',
    )
  })

  it('that close end their request', async () => {
    const gone = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const { client, statuses } = await open((_body, outlet) => {
      outlet.onGone(gone.resolve)
      started.resolve()
    })
    client.write(chat('{}'))
    await started.promise
    client.destroy()
    await gone.promise
    expect(statuses).toEqual([0])
  })

  it('that close only their own half get their reply, and then the end', async () => {
    const started = Promise.withResolvers<SocketOutlet>()
    const { client, closed, received } = await open((_body, outlet) => started.resolve(outlet))
    client.end(chat('{}'))
    const outlet = await started.promise
    await received('102 Processing')
    outlet.json(200, 'here')
    expect(await closed).toMatch(/^(HTTP\/1\.1 102 Processing\r\n\r\n)+HTTP\/1\.1 200 OK\r\n[\s\S]*here$/)
  })

  it.each([10, 300_000, 5_000_000])('[J101d] get large replies complete: %i characters', async (length) => {
    const budget = new ByteBudget(300 * MIB)
    const closed = Promise.withResolvers<void>()
    const { client, received } = await open((_body, outlet) => {
      outlet.chargeTo(budget, { organization: 'acme', key: 'k' })
      outlet.onClose(closed.resolve)
      outlet.json(200, `${'é'.repeat(length)}.`)
    })
    client.write(chat('{}'))
    expect((await received('é.')).split(HEAD_END)[1]).toHaveLength(length + 1)
    await closed.promise
    expect(budget.usedBytes).toBe(0)
  })

  it('[J101b] pay for what they do not read, until they are gone', async () => {
    const budget = new ByteBudget(300 * MIB)
    const closed = Promise.withResolvers<void>()
    const { client } = await open((_body, outlet) => {
      outlet.chargeTo(budget, { organization: 'acme', key: 'k' })
      outlet.onClose(closed.resolve)
      outlet.json(200, 'x'.repeat(32 * MIB))
    })
    client.pause().write(chat('{}'))
    while (budget.usedBytes < 16 * MIB) await new Promise((resolve) => setImmediate(resolve))
    client.destroy()
    await closed.promise
    expect(budget.usedBytes).toBe(0)
  })

  it('[J101b] are cut off if there is no memory for that', async () => {
    const { client, closed } = await open((_body, outlet) => {
      outlet.chargeTo(new ByteBudget(30 * MIB), { organization: 'acme', key: 'k' })
      outlet.json(200, 'x'.repeat(32 * MIB))
    })
    client.write(chat('{}'))
    expect((await closed).length).toBeLessThan(32 * MIB)
  })

  it('are closed with the server, those without a request at once', async () => {
    const { client, server, received, closed } = await open((_body, outlet) => outlet.json(200, 'quick'))
    client.write(chat('{}'))
    await received('quick')
    server.closeIdleConnections()
    expect(await closed).toMatch(/quick$/)
  })
})
