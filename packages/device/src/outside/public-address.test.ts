import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

describe('isPublicAddress', () => {
  it.each([
    ['this machine', '127.0.0.1', '127.255.255.254', '0.0.0.0', '::', '::1', 'localhost', '', '127.1'],
    ['private networks', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fc00::1', 'fec0::1'],
    ['links', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254'],
    ['groups and what is reserved', '192.0.0.8', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', 'ff02::1'],
    ['examples', '203.0.113.7', '2001:db8::1', '64:ff9b:1::1'],
    ['IPv4 within IPv6', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::127.0.0.1'],
    ['translated IPv4', '64:ff9b::7f00:1', '64:ff9b::a00:1', '2002:a00:1::', '2002:7f00:1::'],
    ['tunnels', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ])('rejects %s', (_, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([])
  })

  it('accepts all others', () => {
    const outside = ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e']
    expect(outside.filter(isPublicAddress)).toEqual(outside)
  })
})
