// Tells public internet addresses from those of this machine, its network and everything reserved. It checks ranges of parsed addresses, so
// that no notation gets around it.

import { BlockList, isIP } from 'node:net'

const PRIVATE_V4 = ranges('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])

// In IPv6 only 2000::/3 is public. The ranges below are exceptions within it; some embed an IPv4 address.
const OPEN_V6 = ranges('ipv6', ['2000::/3'])
const SPECIAL_V6 = ranges('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !PRIVATE_V4.check(address, 'ipv4')
    case 6:
      return OPEN_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6')
    default:
      return false
  }
}

function ranges(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
