import { describe, expect, it } from 'vitest'
import { linkAddress, readGatewayAddress, under } from './gateway-address.ts'

const strict = { allowInsecure: false }

describe('readGatewayAddress', () => {
  it('accepts https addresses with or without the scheme, and with a path', () => {
    expect(linkAddress(readGatewayAddress('hearth.example.com', strict)).href).toBe(
      'wss://hearth.example.com/device/v1/link',
    )
    expect(under(readGatewayAddress('https://example.com:8443/hearth/?x=1', strict), '/device/v1/enrol').href).toBe(
      'https://example.com:8443/hearth/device/v1/enrol',
    )
  })

  it('rejects an unencrypted gateway on another machine unless the owner allows it', () => {
    expect(() => readGatewayAddress('http://hearth.example.com', strict)).toThrow(/not be encrypted/)
    expect(linkAddress(readGatewayAddress('http://hearth.example.com', { allowInsecure: true })).protocol).toBe('ws:')
  })

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080', 'http://a.localhost'])(
    'accepts %s, which never leaves the machine',
    (address) => {
      expect(linkAddress(readGatewayAddress(address, strict)).protocol).toBe('ws:')
    },
  )

  it.each(['http://127.0.0.1.example.com', 'http://localhost.example.com', 'http://128.0.0.1'])(
    'rejects %s, which only looks local',
    (address) => {
      expect(() => readGatewayAddress(address, strict)).toThrow(/not be encrypted/)
    },
  )

  it.each(['ftp://example.com', 'https://', 'https://a b'])('says what is wrong with %s', (address) => {
    expect(() => readGatewayAddress(address, strict)).toThrow(/not a valid/)
  })
})
