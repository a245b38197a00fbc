import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConsoleFiles } from './console-files.ts'
import { listen, type Listening } from '../listen.ts'

const PAGE = { accept: 'text/html,application/xhtml+xml' }
let folder: string
let listening: Listening
let origin: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-console-'))
  await mkdir(join(folder, 'built', 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'outside')
  const files = new ConsoleFiles(join(folder, 'built'))
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const pass = () => response.writeHead(404).end('elsewhere')
    void files.answer(request, response, path).then((isDone) => isDone || pass())
  })
  listening = await listen(server, { port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${listening.port}`
})
afterAll(async () => {
  await listening.close()
  await rm(folder, { recursive: true, force: true })
})

async function get(path: string, headers: Record<string, string> = PAGE, method = 'GET') {
  const response = await fetch(origin + path, { headers, method })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

it('a gateway without the files of its console says where they belong', async () => {
  const { status, text, headers } = await get('/')
  expect([status, headers.get('cache-control')]).toStrictEqual([503, 'no-store'])
  expect(text).toContain('packages/console/built')
})

describe('the built console', () => {
  beforeAll(async () => {
    await writeFile(join(folder, 'built', 'index.html'), '<title>console</title>')
    await writeFile(join(folder, 'built', 'favicon.svg'), '<svg/>')
    await writeFile(join(folder, 'built', 'assets', 'index-a1b2c3.js'), 'let x = 1\n'.repeat(100))
  })

  it.each(['/', '/models', '/devices/approve', '/device', '/set-up', '/made/up'])(
    'serves the console to a browser at %s',
    async (path) => {
      const { status, text, headers } = await get(path)
      expect([status, text]).toStrictEqual([200, '<title>console</title>'])
      expect(headers.get('cache-control')).toBe('no-cache')
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    },
  )

  it.each(['/api/v1/nothing', '/openai/v1/models', '/openai', '/device/v1/enrol', '/assets/gone.js', '/v1/models'])(
    'never serves the console at %s',
    async (path) => {
      expect(await get(path)).toMatchObject({ status: 404, text: 'elsewhere' })
    },
  )

  it('never serves the console to API clients or for other methods', async () => {
    expect((await get('/', { accept: '*/*' })).status).toBe(404)
    expect((await get('/models', {})).status).toBe(404)
    expect((await get('/', PAGE, 'POST')).status).toBe(404)
  })

  it('sends a policy that only allows its own origin', async () => {
    const { headers } = await get('/')
    const policy = headers.get('content-security-policy')!.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"]),
    )
    for (const directive of policy) expect(directive).toMatch(/^[\w-]+ ('none'|'self'|'script'|'self' data:)$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  it('lets browsers cache hashed files forever, and others until they change', async () => {
    const asset = await get('/assets/index-a1b2c3.js', {})
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const icon = await get('/favicon.svg', {})
    expect(icon.headers.get('cache-control')).toBe('no-cache')
    const etag = icon.headers.get('etag') ?? ''
    expect((await get('/favicon.svg', { 'if-none-match': etag })).status).toBe(304)
    await writeFile(join(folder, 'built', 'favicon.svg'), '<svg><path/></svg>')
    expect(await get('/favicon.svg', { 'if-none-match': etag })).toMatchObject({
      status: 200,
      text: '<svg><path/></svg>',
    })
  })

  it('serves compressed files to browsers that accept them', async () => {
    const response = await fetch(`${origin}/assets/index-a1b2c3.js`, { headers: { 'accept-encoding': 'gzip;q=1, br' } })
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(await response.text()).toBe('let x = 1\n'.repeat(100))
    const packed = await fetch(`${origin}/assets/index-a1b2c3.js`, { headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(200)
    const plain = await fetch(`${origin}/assets/index-a1b2c3.js`, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
  })

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%5csecret.txt',
  ])('serves no files outside its folder: %s', async (path) => {
    expect(await rawGet(path)).not.toContain('outside')
  })
})

/** fetch would normalize the path. */
async function rawGet(path: string): Promise<string> {
  const { hostname, port } = new URL(origin)
  const [response] = (await once(request({ hostname, port, path, headers: PAGE }).end(), 'response')) as [Readable]
  return text(response)
}
