import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { httpGet } from './http-get.ts'

const LIMITS = { maxBytes: 1000, timeoutMs: 60_000 }

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('downloading on an old Node', () => {
  it('goes through the proxy from the environment, with its password', async () => {
    const asked: (string | undefined)[] = []
    const proxy = await listen(
      createServer(({ url, headers }, response) => {
        asked.push(url, headers.host, headers['proxy-authorization'])
        response.end('from the proxy')
      }),
    )
    const environment = { HTTP_PROXY: `http://ann:s%20cret@${proxy}` }
    const { status, body } = await httpGet(new URL('http://hearth.test/device/v1/app.json'), { environment, ...LIMITS })
    expect([status, body.toString()]).toStrictEqual([200, 'from the proxy'])
    expect(asked).toStrictEqual([
      'http://hearth.test/device/v1/app.json',
      'hearth.test',
      `Basic ${Buffer.from('ann:s cret').toString('base64')}`,
    ])
  })

  it('asks the proxy for a tunnel to an encrypted gateway', async () => {
    const asked: (string | undefined)[] = []
    const proxy = createServer()
    proxy.on('connect', ({ url }: { url?: string }, socket: ReturnType<typeof connect>) => {
      asked.push(url)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    const environment = { HTTPS_PROXY: `http://${await listen(proxy)}` }
    const asking = httpGet(new URL('https://hearth.test/device/v1/app.json'), { environment, ...LIMITS })
    await expect(asking).rejects.toThrow('refused the connection (status 403)')
    expect(asked).toStrictEqual(['hearth.test:443'])
  })

  it('bypasses the proxy for hosts in NO_PROXY', async () => {
    const server = await listen(createServer((_, response) => response.end('itself')))
    const environment = { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' }
    const { body } = await httpGet(new URL(`http://${server}/`), { environment, ...LIMITS })
    expect(body.toString()).toBe('itself')
  })

  it('[R6] reads no more than was announced, and follows no redirect', async () => {
    const server = await listen(
      createServer((request, response) => {
        if (request.url === '/away') return response.writeHead(302, { location: '/big' }).end()
        return response.end('x'.repeat(2000))
      }),
    )
    await expect(httpGet(new URL(`http://${server}/big`), { environment: {}, ...LIMITS })).rejects.toThrow(
      'larger than',
    )
    expect((await httpGet(new URL(`http://${server}/away`), { environment: {}, ...LIMITS })).status).toBe(302)
  })
})
