import { describe, expect, it } from 'vitest'
import { chooseProxy } from './choose-proxy.ts'

const gateway = new URL('wss://hearth.example.com/device/v1/link')

describe('chooseProxy', () => {
  it('uses HTTPS_PROXY for encrypted and HTTP_PROXY for plain connections, lowercase first', () => {
    const environment = { HTTPS_PROXY: 'http://a:3128', https_proxy: 'http://b:3128', HTTP_PROXY: 'c:80' }
    expect(chooseProxy(gateway, environment)?.host).toBe('b:3128')
    expect(chooseProxy(new URL('ws://hearth.example.com'), environment)?.hostname).toBe('c')
    expect(chooseProxy(gateway, {})).toBeUndefined()
    expect(chooseProxy(gateway, { HTTPS_PROXY: ' ' })).toBeUndefined()
  })

  it.each(['*', 'hearth.example.com', 'example.com', '.example.com', '*.example.com', 'a, hearth.example.com:443'])(
    'bypasses the proxy for NO_PROXY=%s',
    (list) => {
      expect(chooseProxy(gateway, { HTTPS_PROXY: 'http://a:1', NO_PROXY: list })).toBeUndefined()
    },
  )

  it.each(['ample.com', 'hearth.example.com:8443', 'other.example.com', ''])(
    'keeps the proxy for NO_PROXY=%s',
    (list) => {
      expect(chooseProxy(gateway, { HTTPS_PROXY: 'http://a:1', NO_PROXY: list })).toBeDefined()
    },
  )

  it('supports IPv6 addresses', () => {
    const target = new URL('ws://[::1]:8080')
    expect(chooseProxy(target, { HTTP_PROXY: 'http://a:1', NO_PROXY: '::1' })).toBeUndefined()
    expect(chooseProxy(target, { HTTP_PROXY: 'http://a:1', NO_PROXY: '[::1]:8080' })).toBeUndefined()
  })
})
