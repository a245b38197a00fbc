import { beforeEach, describe, expect, it } from 'vitest'
import { Mandate } from './mandate.ts'
import { TIMING } from './timing.ts'

describe('Mandate', () => {
  let mandate: Mandate
  const later = TIMING.mandateMs + 500
  beforeEach(() => {
    mandate = new Mandate(TIMING)
    mandate.renewed(0, 1, [2])
  })

  it('needs the word of a peer whom a renewal without an answer may have listed', () => {
    mandate.renewing([2, 3])
    mandate.heartbeatSent(1, later)
    mandate.vouched(2, 1)
    expect(mandate.isValid(later)).toBe(false)
    mandate.vouched(3, 1)
    expect(mandate.isValid(later)).toBe(true)
  })

  it('ends if a renewal without an answer may have listed nobody', () => {
    mandate.renewing([])
    mandate.heartbeatSent(1, later)
    mandate.vouched(2, 1)
    expect(mandate.isValid(later)).toBe(false)
  })

  it('ends when the row is claimed, until a later renewal', () => {
    mandate.claimed(1)
    vouch(1, later)
    expect(mandate.isValid(later)).toBe(false)
    mandate.renewed(later, 2, [2])
    vouch(2, 2 * later)
    expect(mandate.isValid(2 * later)).toBe(true)
  })

  it('ends when a renewal without an answer is claimed, even if the answer comes later', () => {
    mandate.renewing([2])
    mandate.claimed(2)
    mandate.renewed(1, 2, [2])
    vouch(1, later)
    expect(mandate.isValid(later)).toBe(false)
  })

  it('goes on when an older state of the row is claimed', () => {
    mandate.claimed(0)
    vouch(1, later)
    expect(mandate.isValid(later)).toBe(true)
  })

  it('ignores the word about a heartbeat that it did not send', () => {
    mandate.heartbeatSent(1, later)
    mandate.vouched(2, 7)
    expect(mandate.isValid(later)).toBe(false)
  })

  function vouch(sequence: number, now: number): void {
    mandate.heartbeatSent(sequence, now)
    mandate.vouched(2, sequence)
  }
})
