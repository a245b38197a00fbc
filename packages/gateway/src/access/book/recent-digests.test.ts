import { describe, expect, it } from 'vitest'
import { RecentDigests } from './recent-digests.ts'

describe('digests of keys that were used lately', () => {
  it('stay while they are used, and are forgotten when many others come', () => {
    const digests = new RecentDigests(2)
    for (const header of ['a', 'b', 'c']) digests.keep(header, header)
    expect(digests.get('a')).toBe('a')
    digests.keep('d', 'd')
    expect(digests.get('a')).toBe('a')
    expect(digests.get('b')).toBeUndefined()
  })

  it('are not kept for headers that are too long', () => {
    const digests = new RecentDigests()
    const header = `Bearer ${' '.repeat(10_000)}a`
    digests.keep(header, 'digest')
    expect(digests.get(header)).toBeUndefined()
  })
})
