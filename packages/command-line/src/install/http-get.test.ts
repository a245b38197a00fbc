import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { describe, expect, it } from 'vitest'
import { serveHere } from '../testing/serve-here.ts'
import { testAuthority } from '../testing/test-authority.ts'
import { startTunnelProxy, type TunnelProxyOptions } from '../testing/tunnel-proxy.ts'
import { httpGet } from './http-get.ts'

const LIMITS = { maxBytes: 1000, timeoutMs: 60_000 }
/** The first byte of TLS. */
const HANDSHAKE = 22
const SECRET = 'hd-hearth-secret'

/** An encrypted gateway that only the proxy finds, and what arrives at its port. */
async function startCompany({
  certified = ['hearth.test'],
  ...options
}: TunnelProxyOptions & { certified?: string[] }) {
  const authority = await testAuthority()
  const visits: number[] = []
  const gateway = createSecureServer(await authority.issue(certified), ({ url }, response) =>
    response.end(`gateway ${url}`),
  )
  gateway.on('connection', ({ remotePort }) => visits.push(remotePort ?? 0))
  const port = Number(new URL(await serveHere(gateway)).port)
  const proxy = await startTunnelProxy({ names: { 'hearth.test': '127.0.0.1', '192.0.2.7': '127.0.0.1' }, ...options })
  const authorities = [authority.certificate]
  return { port, proxy, visits, ask: { ...LIMITS, authorities, headers: { authorization: `Bearer ${SECRET}` } } }
}

describe('downloading on an old Node', () => {
  it.each([
    ['without a password', undefined, '//'],
    ['with a password', 'ann:s cret', '//ann:s%20cret@'],
  ])('reaches an encrypted gateway through a proxy %s, which sees nothing but TLS', async (_, password, login) => {
    const { port, proxy, ask, visits } = await startCompany({ ...(password !== undefined && { password }) })
    const environment = { HTTPS_PROXY: proxy.url.replace('//', login) }
    const url = new URL(`https://hearth.test:${port}/device/v1/app.json`)
    const { status, body } = await httpGet(url, { environment, ...ask })
    expect([status, body.toString()]).toStrictEqual([200, 'gateway /device/v1/app.json'])
    expect(proxy.tunnels).toStrictEqual([`hearth.test:${port}`])
    const wire = Buffer.concat(proxy.sent[0]!)
    expect(wire[0]).toBe(HANDSHAKE)
    for (const word of ['GET ', 'app.json', SECRET]) expect(wire.includes(word)).toBe(false)
    // The proxy's own connection, and no other.
    expect([proxy.requests, visits.length]).toStrictEqual([[], 1])
  })

  it.each([
    ['another machine', '198.51.100.1', []],
    ['the proxy', 'proxy.test', ['127.0.0.1', 'localhost']],
  ])('rejects a gateway with the certificate of %s', async (_, name, others) => {
    const { port, proxy, ask } = await startCompany({ certified: [name, ...others] })
    const environment = { HTTPS_PROXY: proxy.url }
    const asking = httpGet(new URL(`https://192.0.2.7:${port}/`), { environment, ...ask })
    await expect(asking).rejects.toMatchObject({ cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' } })
    expect(Buffer.concat(proxy.sent[0]!).includes(SECRET)).toBe(false)
  })

  it('reaches a gateway by its address', async () => {
    const { port, proxy, ask } = await startCompany({ certified: ['192.0.2.7'] })
    const url = new URL(`https://192.0.2.7:${port}/here`)
    expect((await httpGet(url, { environment: { HTTPS_PROXY: proxy.url }, ...ask })).body.toString()).toContain('/here')
  })

  it('trusts no authority that Node or the person does not name', async () => {
    const { port, proxy } = await startCompany({})
    const asking = httpGet(new URL(`https://hearth.test:${port}/`), {
      environment: { HTTPS_PROXY: proxy.url },
      ...LIMITS,
    })
    await expect(asking).rejects.toMatchObject({ advice: expect.stringContaining('NODE_EXTRA_CA_CERTS') })
  })

  it('asks the proxy for a tunnel to a gateway without TLS too, as its connection does later', async () => {
    const gateway = new URL(await serveHere(createServer((_, response) => response.end('itself'))))
    const proxy = await startTunnelProxy({ names: { 'hearth.test': '127.0.0.1' } })
    const url = new URL(`http://hearth.test:${gateway.port}/`)
    const { body } = await httpGet(url, { environment: { http_proxy: proxy.url }, ...LIMITS })
    expect([body.toString(), proxy.tunnels]).toStrictEqual(['itself', [`hearth.test:${gateway.port}`]])
  })

  it('says that the proxy wants a password, rejects the gateway or is not there', async () => {
    const { proxy, visits, ask } = await startCompany({ password: 'ann:secret' })
    const url = new URL('https://hearth.test/device/v1/app.json')
    const through = (address: string) => httpGet(url, { environment: { HTTPS_PROXY: address }, ...ask })
    await expect(through(proxy.url)).rejects.toMatchObject({
      message: expect.stringContaining('refused the connection (status 407)'),
      advice: 'add the user name and password to HTTPS_PROXY: http://user:password@proxy:port',
    })
    await expect(through('http://127.0.0.1:9')).rejects.toThrow("Can't reach the proxy 127.0.0.1:9")
    expect(visits).toStrictEqual([])
    const noProxy = await serveHere(createServer((_, response) => response.writeHead(404).end()))
    await expect(through(noProxy)).rejects.toThrow(/refused the connection|Can't reach the proxy/)
  })

  it('hangs up on a proxy that never answers when its time is over', async () => {
    const silent = createServer()
    const gone = new Promise<void>((resolve) => silent.on('connect', (_, socket) => socket.resume().on('end', resolve)))
    const environment = { HTTPS_PROXY: await serveHere(silent) }
    const asking = httpGet(new URL('https://hearth.test/'), { environment, ...LIMITS, timeoutMs: 50 })
    await expect(asking).rejects.toThrow(/abort|timeout/)
    await gone
  })

  it('reads no more than was announced, and follows no redirect', async () => {
    const server = await serveHere(
      createServer((request, response) => {
        if (request.url === '/away') return response.writeHead(302, { location: '/big' }).end()
        return response.end('x'.repeat(2000))
      }),
    )
    await expect(httpGet(new URL(`${server}/big`), { environment: {}, ...LIMITS })).rejects.toThrow('larger than')
    expect((await httpGet(new URL(`${server}/away`), { environment: {}, ...LIMITS })).status).toBe(302)
  })
})
