import { describe, expect, it } from 'vitest'
import { chooseProxy, describeProxy, ownNames } from './choose-proxy.ts'

const gateway = new URL('wss://hearth.example.com/device/v1/link')
const own = { name: 'studio', addresses: ['192.168.1.20', '2001:db8::20'] }

describe('chooseProxy', () => {
  it('uses HTTPS_PROXY for encrypted and HTTP_PROXY for plain connections, lowercase first', () => {
    const environment = { HTTPS_PROXY: 'http://a:3128', https_proxy: 'http://b:3128', HTTP_PROXY: 'c:80' }
    expect(chooseProxy(gateway, environment)).toMatchObject({ setting: 'https_proxy', address: { host: 'b:3128' } })
    expect(chooseProxy(new URL('ws://hearth.example.com'), environment)?.address.hostname).toBe('c')
    expect(chooseProxy(gateway, {})).toBeUndefined()
    expect(chooseProxy(gateway, { HTTPS_PROXY: ' ' })).toBeUndefined()
    expect(chooseProxy(gateway, { https_proxy: '', HTTPS_PROXY: 'http://a:3128' })).toBeUndefined()
  })

  it('names the setting without its password', () => {
    const proxy = chooseProxy(gateway, { ALL_PROXY: 'http://ann:secret@proxy:3128' })
    expect(proxy && describeProxy(proxy)).toBe('ALL_PROXY=http://proxy:3128')
  })

  it('uses no proxy that speaks something else', () => {
    expect(chooseProxy(gateway, { ALL_PROXY: 'socks5://a:1080' })).toBeUndefined()
  })

  it.each(['*', 'hearth.example.com', 'example.com', '.example.com', '*.example.com', 'a, hearth.example.com:443'])(
    'bypasses the proxy for NO_PROXY=%s',
    (list) => {
      expect(chooseProxy(gateway, { HTTPS_PROXY: 'http://a:1', NO_PROXY: list })).toBeUndefined()
    },
  )

  it.each(['ample.com', 'hearth.example.com:8443', 'other.example.com', '10.0.0.0/8', ''])(
    'keeps the proxy for NO_PROXY=%s',
    (list) => {
      expect(chooseProxy(gateway, { HTTPS_PROXY: 'http://a:1', NO_PROXY: list })).toBeDefined()
    },
  )

  it('reads addresses and ranges of addresses', () => {
    const isDirect = (address: string, list: string) =>
      chooseProxy(new URL(address), { HTTP_PROXY: 'http://a:1', NO_PROXY: list }, own) === undefined
    expect(isDirect('ws://[2001:db8::1]:8080', '2001:db8::1')).toBe(true)
    expect(isDirect('ws://[2001:db8::1]:8080', '[2001:db8::1]:8080')).toBe(true)
    expect(isDirect('http://10.1.2.3', '10.0.0.0/8')).toBe(true)
    expect(isDirect('http://[fd00::7]', 'fd00::/8')).toBe(true)
    expect(isDirect('http://11.1.2.3', '10.0.0.0/8, 11.0.0.0/99, x/8, /8')).toBe(false)
  })

  it.each([
    'http://localhost:8080',
    'http://LOCALHOST.:8080',
    'https://hearth.localhost',
    'http://127.0.0.1:8080',
    'http://127.9.8.7',
    'http://2130706433',
    'http://[::1]:8080',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0:8080',
    'http://[::]:8080',
    'http://169.254.169.254',
    'http://[fe80::1]',
    'http://192.168.1.20:8080',
    'http://[::ffff:192.168.1.20]',
    'ws://[2001:db8::20]',
    'https://Studio',
    'wss://studio.local',
  ])('uses no proxy for this machine or its cable: %s', (address) => {
    const environment = { http_proxy: 'http://a:1', https_proxy: 'http://a:1', all_proxy: 'http://a:1' }
    expect(chooseProxy(new URL(address), environment, own)).toBeUndefined()
  })

  it.each(['http://192.168.1.21', 'http://studio.example.com', 'http://localhost.example.com', 'http://128.0.0.1'])(
    'uses the proxy for another machine: %s',
    (address) => {
      expect(chooseProxy(new URL(address), { http_proxy: 'http://a:1' }, own)).toBeDefined()
    },
  )

  it('knows the addresses of this machine', () => {
    expect(ownNames().addresses).toContain('127.0.0.1')
  })
})
