import { createServer } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { serveHere } from '../testing/serve-here.ts'
import { startTunnelProxy } from '../testing/tunnel-proxy.ts'
import { useProxies } from './prepare-network.ts'

afterAll(() => useProxies({}))

const here = () => serveHere(createServer((_, response) => response.end('itself')))
const ask = async (url: string) => (await fetch(url)).text()

describe('fetch', () => {
  it.each(['127.0.0.1', 'localhost', '127.1.2.3'])('shows no proxy what is on this machine: %s', async (host) => {
    const proxy = await startTunnelProxy()
    const { port } = new URL(await here())
    useProxies({ http_proxy: proxy.url, ALL_PROXY: proxy.url })
    // Nothing listens at other addresses of this machine. They are not asked elsewhere.
    await ask(`http://${host}:${port}/`).catch(() => undefined)
    expect([proxy.requests, proxy.tunnels]).toStrictEqual([[], []])
  })

  it('goes through the proxy to others, as the connection of a device does', async () => {
    const { port } = new URL(await here())
    const proxy = await startTunnelProxy({ password: 'ann:s cret', names: { 'hearth.test': '127.0.0.1' } })
    useProxies({ ALL_PROXY: proxy.url.replace('//', '//ann:s%20cret@') })
    await ask(`http://hearth.test:${port}/asked`).catch(() => undefined)
    await ask(`https://hearth.test:${port}/asked`).catch(() => undefined)
    expect([...proxy.requests, ...proxy.tunnels]).toStrictEqual([
      `http://hearth.test:${port}/asked`,
      `hearth.test:${port}`,
    ])
  })

  it('asks directly if HTTP_PROXY alone is set and the address is encrypted', async () => {
    const proxy = await startTunnelProxy()
    useProxies({ http_proxy: proxy.url })
    await ask('https://hearth.invalid/').catch(() => undefined)
    expect(proxy.tunnels).toStrictEqual([])
  })
})
