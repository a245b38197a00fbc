import { beforeEach, describe, expect, it } from 'vitest'
import { Lease } from './lease.ts'
import { TIMING } from './timing.ts'

describe('Lease', () => {
  let lease: Lease
  const later = TIMING.leaseMs + 500
  beforeEach(() => {
    lease = new Lease(TIMING)
    lease.renewed(0, [2])
  })

  it('goes on with the word of every peer, counted from when the heartbeat was sent', () => {
    lease.heartbeatSent(1, later)
    expect(lease.isValid(later)).toBe(false)
    lease.vouched(2, 1)
    expect(lease.isValid(later + TIMING.vouchMs - 1)).toBe(true)
    expect(lease.isValid(later + TIMING.vouchMs)).toBe(false)
  })

  it('needs the word of a peer whom a renewal without an answer may have listed', () => {
    lease.renewing([2, 3])
    lease.heartbeatSent(1, later)
    lease.vouched(2, 1)
    expect(lease.isValid(later)).toBe(false)
    lease.vouched(3, 1)
    expect(lease.isValid(later)).toBe(true)
  })

  it('ends if a renewal without an answer may have listed nobody', () => {
    lease.renewing([])
    lease.heartbeatSent(1, later)
    lease.vouched(2, 1)
    expect(lease.isValid(later)).toBe(false)
  })

  it('ignores the word about a heartbeat that it did not send', () => {
    lease.heartbeatSent(1, later)
    lease.vouched(2, 7)
    expect(lease.isValid(later)).toBe(false)
  })
})
