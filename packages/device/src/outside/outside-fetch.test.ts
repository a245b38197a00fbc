import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { describe, expect, it } from 'vitest'
import { createOutsideFetch, type OutsideOptions } from './outside-fetch.ts'
import { ForbiddenAddress, LOCAL_DOWNLOADS, PUBLIC_DOWNLOADS, type WebRules } from './web-rules.ts'

async function serve(answer: RequestListener) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  const url = new URL('/model.gguf', await serveHere(server))
  return { seen, port: Number(url.port), url }
}

/** As on the internet, but servers of the test count as public. */
function pretend(resolve: WebRules['resolve'], isAllowed = (address: string) => address === '127.0.0.1'): WebRules {
  return { ...PUBLIC_DOWNLOADS, resolve, isAllowed, plain: 'everywhere', isAllowedPort: () => true }
}

const toLoopback = (): Promise<string[]> => Promise.resolve(['127.0.0.1'])

function outside(options: Partial<OutsideOptions>): typeof fetch {
  return createOutsideFetch({ rules: PUBLIC_DOWNLOADS, environment: {}, ...options })
}

describe('a fetch of what somebody else chose', () => {
  it('fails if the server switches to another protocol', async () => {
    const { url } = await serve(({ socket }) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
    })
    await expect(outside({ rules: pretend(toLoopback) })(url)).rejects.toThrow()
  })

  it.each([
    'https://127.0.0.1/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://192.168.1.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/x',
  ])('rejects %s before it connects, and says how to allow it', async (url) => {
    const asked = outside({})(url)
    await expect(asked).rejects.toThrow(ForbiddenAddress)
    await expect(asked).rejects.toMatchObject({
      message: expect.stringContaining("this address is in the owner's private network"),
      advice: 'The owner can allow it with --allow-local-downloads.',
    })
  })

  it.each([
    ['localhost.', '127.0.0.1'],
    ['printer.example', '192.168.1.9'],
    ['mixed.example', '93.184.216.34', 'fd00::1'],
  ])('rejects the name %s by any of its addresses', async (host, ...addresses) => {
    const rules = { ...PUBLIC_DOWNLOADS, resolve: () => Promise.resolve(addresses) }
    await expect(outside({ rules })(`https://${host}/x`)).rejects.toThrow(/private network/)
  })

  it.each([
    ['http://93.184.216.34/x', /only https/],
    ['ftp://93.184.216.34/x', /only https/],
    ['file:///etc/passwd', /only https/],
    ['https://user:secret@93.184.216.34/x', /user name or a password/],
    ['https://93.184.216.34:8443/x', /only the standard port/],
  ])('rejects %s', async (url, message) => {
    await expect(outside({})(url)).rejects.toThrow(message)
  })

  it('checks every redirect like the first address, and passes no credentials on', async () => {
    const inside = await serve((_, response) => response.end('secret'))
    const last = await serve((_, response) => response.end('the model'))
    const first = await serve((request, response) => {
      const to = request.url === '/inside' ? `http://inside.example:${inside.port}/admin` : last.url.href
      response.writeHead(302, { location: to }).end()
    })
    const asked: string[] = []
    const rules = pretend((host) => {
      asked.push(host)
      return Promise.resolve([host === 'inside.example' ? '127.0.0.2' : '127.0.0.1'])
    })
    const get = outside({ rules })
    const at = (path: string): string => `http://public.example:${first.port}${path}`
    await expect(get(at('/inside'))).rejects.toThrow(/Can't download from inside\.example:\d+: this address is in/)
    expect(inside.seen).toEqual([])
    const response = await get(at('/model.gguf'), { headers: { authorization: 'Bearer mine', range: 'bytes=0-' } })
    expect(await response.text()).toBe('the model')
    expect(first.seen.at(-1)?.headers.authorization).toBe('Bearer mine')
    expect(last.seen[0]?.headers).toMatchObject({ range: 'bytes=0-' })
    expect(last.seen[0]?.headers.authorization).toBeUndefined()
    expect(asked).toEqual(['public.example', 'inside.example', 'public.example'])
  })

  it('connects to the address it checked, whatever the name means a moment later', async () => {
    const server = await serve((_, response) => response.end('the model'))
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    let asked = 0
    const rules = pretend(() => Promise.resolve(answers[asked++] ?? []))
    const response = await outside({ rules })(`http://rebinding.example:${server.port}/x`)
    expect([await response.text(), asked]).toEqual(['the model', 1])
    expect(server.seen[0]?.headers.host).toBe(`rebinding.example:${server.port}`)
    await expect(outside({ rules })(`http://rebinding.example:${server.port}/x`)).rejects.toThrow(ForbiddenAddress)
    expect(server.seen).toHaveLength(1)
  })

  it('asks servers that the owner chose wherever they are, and checks where they lead', async () => {
    const inside = await serve((_, response) => response.end('secret'))
    const hub = await serve((request, response) => {
      if (request.url === '/away') return void response.writeHead(302, { location: inside.url.href }).end()
      if (request.url === '/moved') return void response.writeHead(302, { location: '/here' }).end()
      return void response.end('listing')
    })
    const get = outside({ owners: () => [hub.url] })
    expect(await (await get(hub.url)).text()).toBe('listing')
    expect(await (await get(new URL('/moved', hub.url))).text()).toBe('listing')
    await expect(get(new URL('/away', hub.url))).rejects.toThrow(ForbiddenAddress)
    expect(inside.seen).toEqual([])
  })

  it('does not reach the server of the owner by a redirect from elsewhere', async () => {
    const mirror = await serve((_, response) => response.end('internal'))
    const address = `http://mirror.example:${mirror.port}/x`
    const elsewhere = await serve((_, response) => response.writeHead(302, { location: address }).end())
    const rules = pretend((host) => Promise.resolve([host === 'mirror.example' ? '127.0.0.2' : '127.0.0.1']))
    const get = outside({ rules, owners: () => [new URL(address)] })
    await expect(get(`http://public.example:${elsewhere.port}/x`)).rejects.toThrow(ForbiddenAddress)
    expect(mirror.seen).toEqual([])
  })

  it('reaches the own network if the owner allows it, but nothing public without encryption', async () => {
    const server = await serve((_, response) => response.end('the model'))
    const get = outside({ rules: LOCAL_DOWNLOADS })
    expect(await (await get(server.url)).text()).toBe('the model')
    await expect(get('http://93.184.216.34/x')).rejects.toThrow(/only https/)
  })

  it('gives up after a few redirects, and on compressed answers', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
      return void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    })
    const get = outside({ rules: pretend(toLoopback) })
    await expect(get(`http://public.example:${server.port}/loop`)).rejects.toThrow(/redirects too often/)
    expect(server.seen.length).toBeLessThan(10)
    await expect(get(`http://public.example:${server.port}/packed`)).rejects.toThrow(/compressed/)
  })

  it('goes through the proxy of the owner, for what this machine takes for public', async () => {
    const server = await serve((_, response) => response.end('the model'))
    const tunnels: string[] = []
    const proxy = createServer().on('connect', (request, socket) => {
      tunnels.push(request.url ?? '')
      const onward = connect(server.port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
      onward.pipe(socket).pipe(onward)
    })
    const environment = { http_proxy: await serveHere(proxy) }
    const resolve: WebRules['resolve'] = (host) =>
      host === 'unknown.example' ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(['192.168.1.9'])
    const get = outside({ rules: pretend(resolve), environment })
    expect(await (await get('http://unknown.example/x')).text()).toBe('the model')
    await expect(get('http://printer.example/x')).rejects.toThrow(ForbiddenAddress)
    await expect(get('http://10.0.0.1/x')).rejects.toThrow(ForbiddenAddress)
    expect(tunnels).toEqual(['unknown.example:80'])
  })
})
