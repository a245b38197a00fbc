import { describe, expect, it, onTestFinished } from 'vitest'
import { startStandInSearch, type StandInSearch } from '../testing/stand-ins/search.ts'
import { fetchPage, type FetchPageWorld } from './fetch-page.ts'

const signal = new AbortController().signal

async function setUp(world: Partial<FetchPageWorld> = {}) {
  const server: StandInSearch = await startStandInSearch()
  onTestFinished(() => server.stop())
  const port = new URL(server.url).port
  const open: FetchPageWorld = {
    resolve: () => Promise.resolve(['127.0.0.1']),
    isAllowed: (address) => address === '127.0.0.1',
    plain: 'everywhere',
    isAllowedPort: () => true,
    timeoutMs: 60_000,
    ...world,
  }
  const at = (path: string, host = 'site.example'): string => `http://${host}:${port}${path}`
  return { server, at, fetch: (url: string, until = signal) => fetchPage(url, until, open) }
}

const html = { 'content-type': 'text/html; charset=iso-8859-1' }

describe('fetchPage', () => {
  it('reads text in its own character set', async () => {
    const { server, at, fetch } = await setUp()
    server.pages.set('/page', (response) => response.writeHead(200, html).end(Buffer.from('<p>sm\xf8r</p>', 'latin1')))
    expect(await fetch(at('/page'))).toEqual({ isHtml: true, text: '<p>smør</p>' })
  })

  it.each(['http://127.0.0.1/', 'file:///etc/passwd', 'http://1.1.1.1:22/', 'nonsense'])(
    'does not fetch %s',
    async (url) => {
      expect(await fetchPage(url, signal)).toBeUndefined()
    },
  )

  it('reads no more than 2 MiB', async () => {
    const { server, at, fetch } = await setUp()
    server.pages.set('/endless', (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    expect((await fetch(at('/endless')))?.text.length).toBe(2 * 1024 * 1024)
  })

  it.each([
    ['images', { 'content-type': 'image/png' }],
    ['what says nothing about itself', {}],
    ['what is compressed, for it might have no end', { 'content-type': 'text/html', 'content-encoding': 'gzip' }],
  ])('does not read %s', async (_, headers) => {
    const { server, at, fetch } = await setUp()
    server.pages.set('/page', (response) => response.writeHead(200, headers).end('x'))
    expect(await fetch(at('/page'))).toBeUndefined()
  })

  it('gives up on a page that does not respond, or whose name is not resolved in time', async () => {
    const { server, at, fetch } = await setUp({ timeoutMs: 200 })
    server.pages.set('/slow', () => undefined)
    server.pages.set('/gone', (response) => response.destroy())
    server.pages.set('/missing', (response) => response.writeHead(404, html).end('no'))
    for (const path of ['/slow', '/gone', '/missing']) expect(await fetch(at(path))).toBeUndefined()
    const unknown = await setUp({ timeoutMs: 50, resolve: () => new Promise(() => {}) })
    expect(await unknown.fetch(unknown.at('/page'))).toBeUndefined()
  })

  it('ends with the reason when the job is canceled', async () => {
    const { server, at, fetch } = await setUp()
    const abort = new AbortController()
    const asked = Promise.withResolvers<void>()
    server.pages.set('/slow', () => asked.resolve())
    const page = fetch(at('/slow'), abort.signal)
    await asked.promise
    abort.abort(new Error('gone'))
    await expect(page).rejects.toThrow('gone')
  })
})
