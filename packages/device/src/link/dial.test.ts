import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import tls from 'node:tls'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { testAuthority } from '@hearth/command-line/testing/test-authority'
import { startTunnelProxy } from '@hearth/command-line/testing/tunnel-proxy'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { createDial, readRetryAfter } from './dial.ts'
import type { SocketListener } from './socket.ts'

/** Sends every link one message in the same packet as the upgrade, and echoes what it receives. */
async function startGateway(answer?: { status: string; headers: string }, server = createServer()) {
  const links = new WebSocketServer({ noServer: true })
  const seen = { authorization: '', extensions: '' }
  server.on('upgrade', (request, socket, head) => {
    seen.authorization = request.headers.authorization ?? ''
    seen.extensions = request.headers['sec-websocket-extensions'] ?? ''
    if (answer !== undefined) return void socket.end(`HTTP/1.1 ${answer.status}\r\n${answer.headers}\r\n\r\n`)
    return links.handleUpgrade(request, socket, head, (link) => {
      link.send('first')
      link.on('message', (data: Buffer) => link.send(data.toString()))
    })
  })
  return { url: new URL(await serveHere(server)), seen }
}

function recorder() {
  const messages: string[] = []
  const waiting: (() => void)[] = []
  const listener: SocketListener = {
    onMessage: (text) => {
      messages.push(text)
      waiting.splice(0).forEach((wake) => wake())
    },
    onSign: () => waiting.splice(0).forEach((wake) => wake()),
    onClose: () => waiting.splice(0).forEach((wake) => wake()),
  }
  return { messages, listener, next: () => new Promise<void>((resolve) => waiting.push(resolve)) }
}

/** Only the proxy knows them. */
const NAMES = { 'hearth.test': '127.0.0.1' }
/** The first byte of TLS. */
const HANDSHAKE = 22
const quiet = recorder().listener
const never = new AbortController().signal

describe('dial', () => {
  it('connects with the credential in a header, without compression, and misses no early message', async () => {
    const gateway = await startGateway()
    const heard = recorder()
    const first = heard.next()
    const dialed = await createDial({})({ gateway: gateway.url, credential: 'secret' }, heard.listener, never)
    if (dialed.kind !== 'open') throw new Error(dialed.kind)
    await first
    dialed.socket.send('hello', () => {})
    await heard.next()
    expect(heard.messages).toEqual(['first', 'hello'])
    expect(gateway.seen).toEqual({ authorization: 'Bearer secret', extensions: '' })
    const answered = heard.next()
    dialed.socket.probe()
    await answered
    const closed = heard.next()
    dialed.socket.close(1000, '')
    await closed
  })

  it('tells a rejected credential from a busy gateway, and reads how long to wait', async () => {
    const refusing = await startGateway({ status: '401 Unauthorized', headers: 'Content-Length: 0\r\n' })
    const busy = await startGateway({ status: '503 Busy', headers: 'Retry-After: 7\r\nContent-Length: 0\r\n' })
    const dial = createDial({})
    expect(await dial({ gateway: refusing.url, credential: 'x' }, quiet, never)).toEqual({
      kind: 'rejected',
      status: 401,
    })
    expect(await dial({ gateway: busy.url, credential: 'x' }, quiet, never)).toEqual({
      kind: 'rejected',
      status: 503,
      retryAfterMs: 7_000,
    })
  })

  it('reports an unreachable gateway instead of throwing', async () => {
    const gateway = new URL('http://127.0.0.1:9')
    expect(await createDial({})({ gateway, credential: 'x' }, quiet, never)).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('cancels a dial that is aborted', async () => {
    const silent = createServer()
    silent.on('upgrade', () => {})
    const gateway = new URL(await serveHere(silent))
    const abort = new AbortController()
    const dialing = createDial({})({ gateway, credential: 'x' }, quiet, abort.signal)
    abort.abort()
    expect(await dialing).toMatchObject({ kind: 'failed' })
  })

  it('goes through a proxy with CONNECT, and with the password in its address', async () => {
    const gateway = await startGateway()
    const proxy = await startTunnelProxy({ password: 'me:pa ss', names: NAMES })
    const heard = recorder()
    const dial = createDial({ HTTP_PROXY: proxy.url.replace('//', '//me:pa%20ss@') })
    const first = heard.next()
    const there = new URL(`http://hearth.test:${gateway.url.port}`)
    const dialed = await dial({ gateway: there, credential: 'secret' }, heard.listener, never)
    await first
    expect(dialed.kind).toBe('open')
    expect(proxy.tunnels).toEqual([there.host])
    if (dialed.kind === 'open') dialed.socket.terminate()
  })

  it('shows the proxy nothing but TLS on the way to an encrypted gateway', async () => {
    const authority = await testAuthority()
    const gateway = await startGateway(undefined, createSecureServer(await authority.issue(['hearth.test'])))
    const proxy = await startTunnelProxy({ names: NAMES })
    const there = new URL(`https://hearth.test:${gateway.url.port}`)
    const dial = createDial({ https_proxy: proxy.url })
    const trusted = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...trusted, authority.certificate])
    onTestFinished(() => tls.setDefaultCACertificates(trusted))
    const dialed = await dial({ gateway: there, credential: 'secret' }, quiet, never)
    expect([dialed.kind, gateway.seen.authorization]).toEqual(['open', 'Bearer secret'])
    const wire = Buffer.concat(proxy.sent[0]!)
    expect(wire[0]).toBe(HANDSHAKE)
    for (const word of ['GET ', 'secret', '/device/v1/link']) expect(wire.includes(word)).toBe(false)
    expect([proxy.tunnels, proxy.requests]).toEqual([[there.host], []])
    if (dialed.kind === 'open') dialed.socket.terminate()
  })

  it('says what the proxy said', async () => {
    const proxy = await startTunnelProxy({ password: 'me:secret' })
    const dial = createDial({ HTTPS_PROXY: proxy.url })
    const dialed = await dial({ gateway: new URL('https://hearth.test'), credential: 'x' }, quiet, never)
    expect(dialed).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('refused the connection (status 407)'),
    })
  })

  it('never goes through a proxy to this machine', async () => {
    const gateway = await startGateway()
    const proxy = await startTunnelProxy()
    const dialed = await createDial({ http_proxy: proxy.url })({ gateway: gateway.url, credential: 'x' }, quiet, never)
    expect([dialed.kind, proxy.tunnels]).toEqual(['open', []])
    if (dialed.kind === 'open') dialed.socket.terminate()
  })

  it('reads Retry-After as seconds or as a date', () => {
    expect(readRetryAfter('12')).toEqual({ retryAfterMs: 12_000 })
    expect(readRetryAfter('Sun, 15 Nov 2026 04:00:10 GMT', Date.parse('2026-11-15T04:00:00Z'))).toEqual({
      retryAfterMs: 10_000,
    })
    expect(readRetryAfter('soon')).toEqual({})
    expect(readRetryAfter(undefined)).toEqual({})
  })
})
