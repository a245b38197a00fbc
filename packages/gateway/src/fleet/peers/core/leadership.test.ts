import { beforeEach, describe, expect, it } from 'vitest'
import { Leadership } from './leadership.ts'
import { TIMING } from './timing.ts'

describe('Leadership', () => {
  let leadership: Leadership
  const later = TIMING.leadershipMs + 500
  beforeEach(() => {
    leadership = new Leadership(TIMING)
    leadership.renewed(0, 1, [2])
  })

  it('needs the word of a peer whom a renewal without an answer may have listed', () => {
    leadership.renewing([2, 3])
    leadership.heartbeatSent(1, later)
    leadership.vouched(2, 1)
    expect(leadership.isValid(later)).toBe(false)
    leadership.vouched(3, 1)
    expect(leadership.isValid(later)).toBe(true)
  })

  it('ends if a renewal without an answer may have listed nobody', () => {
    leadership.renewing([])
    leadership.heartbeatSent(1, later)
    leadership.vouched(2, 1)
    expect(leadership.isValid(later)).toBe(false)
  })

  it('ends when the row is claimed, until a later renewal', () => {
    leadership.claimed(1)
    vouch(1, later)
    expect(leadership.isValid(later)).toBe(false)
    leadership.renewed(later, 2, [2])
    vouch(2, 2 * later)
    expect(leadership.isValid(2 * later)).toBe(true)
  })

  it('ends when a renewal without an answer is claimed, even if the answer comes later', () => {
    leadership.renewing([2])
    leadership.claimed(2)
    leadership.renewed(1, 2, [2])
    vouch(1, later)
    expect(leadership.isValid(later)).toBe(false)
  })

  it('goes on when an older state of the row is claimed', () => {
    leadership.claimed(0)
    vouch(1, later)
    expect(leadership.isValid(later)).toBe(true)
  })

  it('ignores the word about a heartbeat that it did not send', () => {
    leadership.heartbeatSent(1, later)
    leadership.vouched(2, 7)
    expect(leadership.isValid(later)).toBe(false)
  })

  function vouch(sequence: number, now: number): void {
    leadership.heartbeatSent(sequence, now)
    leadership.vouched(2, sequence)
  }
})
