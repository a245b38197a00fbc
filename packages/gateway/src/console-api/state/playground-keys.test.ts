import { describe, expect, it } from 'vitest'
import { PlaygroundKeys, type PlaygroundKey } from './playground-keys.ts'

const NOW = 1_700_000_000_000
const HOUR_MS = 3_600_000

function key(digest: string): PlaygroundKey {
  return { secret: `secret of ${digest}`, digest, expiresAt: new Date(NOW + HOUR_MS) }
}

function open(revoked: string[] = []) {
  const caller = (digest: string) =>
    revoked.includes(digest) ? undefined : { key: digest, organization: 'o', expiresAt: Infinity }
  return new PlaygroundKeys({ caller })
}

describe('playground keys', () => {
  it('are found again for the same session and organization only', () => {
    const keys = open()
    keys.keep('s', 'o', key('a'))
    expect(keys.find('s', 'o', NOW)).toEqual(key('a'))
    expect([keys.find('t', 'o', NOW), keys.find('s', 'p', NOW)]).toEqual([undefined, undefined])
  })

  it('are not found again when they are revoked or about to expire', () => {
    const keys = open(['b'])
    keys.keep('s', 'o', key('a'))
    keys.keep('t', 'o', key('b'))
    expect([keys.find('s', 'o', NOW + HOUR_MS - 60_000), keys.find('t', 'o', NOW)]).toEqual([undefined, undefined])
  })

  it('are forgotten, oldest first, when there are too many', () => {
    const keys = open()
    for (let session = 0; session <= 10_000; session++) keys.keep(`s${session}`, 'o', key('a'))
    expect([keys.find('s0', 'o', NOW), keys.find('s1', 'o', NOW)]).toEqual([undefined, key('a')])
  })
})
