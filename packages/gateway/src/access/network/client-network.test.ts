import { describe, expect, it } from 'vitest'
import { isLoopback, networkOf } from './client-network.ts'

describe('a client network', () => {
  const notations = {
    '192.0.2.1': ['192.0.2.1', '192.0.2.1:4711', '::ffff:192.0.2.1', '::FFFF:c000:201', '0:0:0:0:0:ffff:192.0.2.1'],
    '2001:db8:1:2': ['2001:db8:1:2:3:4:5:6', '2001:DB8:0001:0002::6', '[2001:db8:1:2::6]:4711'],
    '2001:db8:0:0': ['2001:db8::1', '2001:db8::2:3', '2001:db8:0:0:ffff::', '2001:db8::192.0.2.1'],
    'fe80:0:0:0': ['fe80::1%eth0'],
    '1:0:0:0': ['1::'],
    '0:0:0:0': ['::2'],
    unknown: ['unknown'],
    '': [''],
  }
  it.each(Object.entries(notations))('is %s, in every notation', (network, addresses) => {
    for (const address of addresses) expect(networkOf(address), address).toBe(network)
  })

  it('has a name of limited length', () => {
    expect(networkOf('x'.repeat(10_000))).toHaveLength(64)
  })

  it('recognizes this machine', () => {
    const here = ['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1']
    expect(here.filter((address) => !isLoopback(address))).toEqual([])
    const elsewhere = ['192.0.2.1', '::2', '1::1', '::ffff:192.0.2.1', '2001:db8::1', '']
    expect(elsewhere.filter(isLoopback)).toEqual([])
  })
})
