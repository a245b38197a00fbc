import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { isThisMachine, sharedAddress } from './shared-address.ts'

const at = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  internal,
  family: 'IPv4',
  netmask: '255.255.255.0',
  mac: '00:00:00:00:00:00',
  cidr: null,
})
const interfaces = {
  lo: [at('127.0.0.1', true)],
  docker0: [at('172.17.0.1')],
  eth1: [at('169.254.3.4')],
  wlan0: [at('192.168.1.20')],
}
const everywhere = { host: '0.0.0.0', client: '127.0.0.1', interfaces }

describe('an address for other machines', () => {
  it.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])(
    'is that of this machine in its network when the console is opened at %s',
    (base) => {
      expect(sharedAddress(base, everywhere)).toBe('http://192.168.1.20:8080')
      expect(sharedAddress(base, { ...everywhere, host: '::', client: '::1' })).toBe('http://192.168.1.20:8080')
    },
  )

  it.each([
    ['the gateway listens only on this machine', 'http://127.0.0.1:8080', { ...everywhere, host: '127.0.0.1' }],
    ['the console is opened at another address', 'https://hearth.example', everywhere],
    [
      'the client comes from elsewhere, as in a container',
      'http://localhost:80',
      { ...everywhere, client: '172.17.0.1' },
    ],
    [
      'the machine is in no network',
      'http://localhost:80',
      { ...everywhere, interfaces: { lo: [at('127.0.0.1', true)] } },
    ],
  ])('stays as it is if %s', (_why, base, surroundings) => {
    expect(sharedAddress(base, surroundings)).toBe(base)
  })

  it('differs from one that means the machine itself', () => {
    expect(['localhost', 'a.localhost', '127.0.0.9', '[::1]'].every(isThisMachine)).toBe(true)
    expect(['192.168.1.20', 'hearth.example', '[2001:db8::1]'].some(isThisMachine)).toBe(false)
  })
})
