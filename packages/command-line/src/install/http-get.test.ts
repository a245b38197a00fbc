import { createServer } from 'node:http'
import type { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { serveHere } from '../testing/serve-here.ts'
import { httpGet } from './http-get.ts'

const LIMITS = { maxBytes: 1000, timeoutMs: 60_000 }

describe('downloading on an old Node', () => {
  it('goes through the proxy from the environment, with its password', async () => {
    const asked: (string | undefined)[] = []
    const proxy = await serveHere(
      createServer(({ url, headers }, response) => {
        asked.push(url, headers.host, headers['proxy-authorization'])
        response.end('from the proxy')
      }),
    )
    const environment = { HTTP_PROXY: proxy.replace('//', '//ann:s%20cret@') }
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
    const environment = { HTTPS_PROXY: await serveHere(proxy) }
    const asking = httpGet(new URL('https://hearth.test/device/v1/app.json'), { environment, ...LIMITS })
    await expect(asking).rejects.toThrow('refused the connection (status 403)')
    expect(asked).toStrictEqual(['hearth.test:443'])
  })

  it('bypasses the proxy for hosts in NO_PROXY', async () => {
    const server = await serveHere(createServer((_, response) => response.end('itself')))
    const environment = { HTTP_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' }
    const { body } = await httpGet(new URL(server), { environment, ...LIMITS })
    expect(body.toString()).toBe('itself')
  })

  it('[R6] reads no more than was announced, and follows no redirect', async () => {
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
