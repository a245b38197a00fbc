import { useProxies } from '@hearth/command-line/gateway/prepare-network'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { startTunnelProxy } from '@hearth/command-line/testing/tunnel-proxy'
import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { askGateway, readNewCredential } from './ask-gateway.ts'

afterEach(() => useProxies({}))

async function login(gateway: URL) {
  return readNewCredential(await askGateway(gateway, '/device/v1/enrol', { token: 'he-hearth-secret' }), gateway)
}

describe('a login', () => {
  it('names the setting if a proxy answers in place of the gateway', async () => {
    const proxy = await startTunnelProxy()
    useProxies({ http_proxy: proxy.url })
    await expect(login(new URL('http://hearth.test:8080'))).rejects.toMatchObject({
      message: "http://hearth.test:8080/ doesn't look like a Hearth gateway (status 502)",
      advice: `http_proxy=${proxy.url} leads there. If this machine reaches it without a proxy, add hearth.test to no_proxy`,
    })
  })

  it('never sends its token to a proxy if the gateway is on this machine', async () => {
    const proxy = await startTunnelProxy()
    useProxies({ http_proxy: proxy.url, all_proxy: proxy.url })
    const answer = JSON.stringify({ device: 'd', organization: 'o', credential: 'c' })
    const gateway = new URL(await serveHere(createServer((_, response) => response.end(answer))))
    expect(await login(gateway)).toStrictEqual({ device: 'd', organization: 'o', credential: 'c' })
    expect(proxy.requests).toStrictEqual([])
  })
})
