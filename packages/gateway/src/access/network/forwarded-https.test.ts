import { describe, expect, it } from 'vitest'
import { HttpsNotice, isForwardedHttps, linkBase } from './forwarded-https.ts'

const HOST = { host: 'hearth.acme.test' }

function reader(headers: Record<string, string>): (name: string) => string | undefined {
  return (name) => headers[name]
}

const OVER_HTTPS = [
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-proto': 'HTTPS, http' },
  { 'x-forwarded-scheme': 'https' },
  { forwarded: 'for=192.0.2.1;proto=https;by=203.0.113.1' },
  { forwarded: 'for=192.0.2.1; proto="https"' },
  { 'x-forwarded-ssl': 'on' },
  { 'front-end-https': 'On' },
  { origin: 'https://hearth.acme.test' },
]

const NOT = [
  {},
  { 'x-forwarded-proto': 'http' },
  { 'x-forwarded-proto': 'httpsx' },
  { forwarded: 'for=192.0.2.1;proto=http;host=https' },
  { origin: 'https://elsewhere.test' },
  { origin: 'http://hearth.acme.test' },
  { origin: 'null' },
]

describe('a request through a proxy', () => {
  it.each(OVER_HTTPS)('came over HTTPS: %j', (headers) => {
    expect(isForwardedHttps(reader({ ...HOST, ...headers }))).toBe(true)
    expect(linkBase('', reader({ ...HOST, ...headers }))).toBe('https://hearth.acme.test')
  })

  it.each(NOT)('did not: %j', (headers) => {
    expect(isForwardedHttps(reader({ ...HOST, ...headers }))).toBe(false)
    expect(linkBase('', reader({ ...HOST, ...headers }))).toBe('http://hearth.acme.test')
  })

  it('changes nothing about links if PUBLIC_URL is set', () => {
    expect(linkBase('http://a.test', reader({ ...HOST, 'x-forwarded-proto': 'https' }))).toBe('http://a.test')
  })

  it('gets links that are safe to paste into a shell, whatever its host', () => {
    expect(linkBase('', reader({ host: 'a.test/x; rm -rf /' }))).toBe('http://a.test')
    expect(linkBase('', reader({ host: 'a b' }))).toBe('http://localhost')
    expect(linkBase('', reader({}))).toBe('http://localhost')
  })

  it('is noticed once if PUBLIC_URL is not an https:// URL', () => {
    const seen: string[] = []
    for (const url of ['', 'http://a.test', 'https://a.test']) {
      const notice = new HttpsNotice(url, () => seen.push(url))
      notice.look(reader(HOST))
      for (const headers of OVER_HTTPS) notice.look(reader({ ...HOST, ...headers }))
    }
    expect(seen).toEqual(['', 'http://a.test'])
  })
})
