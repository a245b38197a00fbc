import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { answerBrokenRequest } from './raw-error.ts'
import { OpenReplies } from './open-replies.ts'

const GARBAGE = '\u0001\u0002 this is not HTTP\r\n\r\n'
const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

async function open(listener: (request: IncomingMessage, response: ServerResponse) => void): Promise<Socket> {
  const replies = new OpenReplies()
  const server = createServer((request, response) => {
    if (replies.hasRoom(request.socket)) {
      replies.add(response)
      response.once('close', () => replies.remove(response))
      listener(request, response)
    } else request.socket.destroy()
  })
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, replies))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
    () => socket.destroy(),
  )
  return socket
}

async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (data: string) => (text += data)).on('error', () => {})
  await once(socket, 'close')
  return text
}

describe('bytes that are not HTTP', () => {
  it('[A15] get an error on a connection without an open reply', async () => {
    const socket = await open(() => {})
    socket.write(GARBAGE)
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 400 .*"code":"bad_request"/s)
  })

  it('[A15] get an error after a finished reply', async () => {
    const socket = await open((_request, response) => response.end('fine'))
    socket.write(REQUEST)
    await once(socket, 'data')
    socket.write(GARBAGE)
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('[A15] get an error inside the body of a request', async () => {
    const socket = await open((request) => request.resume())
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nnot a chunk\r\n`)
    expect(await readToEnd(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('[A15e] close the connection without a word in the reply that has begun', async () => {
    const socket = await open((_request, response) => response.write('the beginning'))
    socket.write(REQUEST)
    await once(socket, 'data')
    socket.write(GARBAGE)
    expect(await readToEnd(socket)).toBe('')
  })

  it('[A15e] close the connection without a word in place of a reply that is still due', async () => {
    const socket = await open(() => {})
    socket.write(REQUEST + GARBAGE)
    expect(await readToEnd(socket)).toBe('')
  })
})

describe('requests that do not wait for replies', () => {
  it('[A15f] are served up to 32 at a time', async () => {
    let served = 0
    const socket = await open((_request, response) => {
      served += 1
      setImmediate(() => response.end())
    })
    socket.write(REQUEST.repeat(31) + REQUEST.replace('host', 'connection: close\r\nhost'))
    expect((await readToEnd(socket)).match(/HTTP\/1\.1 200/g)).toHaveLength(32)
    expect(served).toBe(32)
  })

  it('[A15f] lose their connection if there are more', async () => {
    let served = 0
    const socket = await open(() => void (served += 1))
    socket.write(REQUEST.repeat(1_000))
    await readToEnd(socket)
    expect(served).toBe(32)
  })
})
