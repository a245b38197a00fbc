import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteBudget, type Reservation } from './byte-budget.ts'

const KIB = 1024

/** Takes a KiB at a time until there is no room. */
function fill(reservation: Reservation): number {
  while (reservation.resize(reservation.bytes + KIB) === undefined);
  return reservation.bytes / KIB
}

describe('a byte budget', () => {
  it('gives one organization up to half, however many keys it has', () => {
    const budget = new ByteBudget(300 * KIB)
    for (let key = 0; key < 1_000; key++) fill(budget.open({ organization: 'a', key: `a${key}` }))
    expect(budget.usedBytes).toBeGreaterThan(140 * KIB)
    expect(budget.usedBytes).toBeLessThanOrEqual(150 * KIB)
  })

  it('leaves room for a newcomer, whatever the others take', () => {
    const takes = fc.array(
      fc.record({ organization: fc.constantFrom('a', 'b', 'c'), key: fc.nat(3), bytes: fc.nat(400 * KIB) }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(takes, (steps) => {
        const budget = new ByteBudget(1_000 * KIB)
        const holds = steps.map(({ organization, key, bytes }) => {
          const reservation = budget.open({ organization, key: `${organization}${key}` })
          reservation.resize(bytes)
          return reservation
        })
        expect(budget.usedBytes).toBe(holds.reduce((sum, { bytes }) => sum + bytes, 0))
        const left = budget.totalBytes - budget.usedBytes
        expect(left).toBeGreaterThan(100 * KIB)
        expect(budget.open({ organization: 'new', key: 'new' }).resize(left / 4)).toBeUndefined()
      }),
    )
  })

  it('never gives one organization more than its most, however much is free', () => {
    const budget = new ByteBudget(3_000 * KIB, 100 * KIB)
    for (let device = 0; device < 10; device++) fill(budget.open({ organization: 'a', key: `a${device}` }))
    expect(budget.usedBytes).toBe(100 * KIB)
    expect(budget.open({ organization: 'a', key: 'a1' }).resize(KIB)).toBe('organization')
    expect(fill(budget.open({ organization: 'b', key: 'b1' }))).toBe(100)
  })

  it('says who holds too much, and leaves a hold that cannot grow what it has', () => {
    const budget = new ByteBudget(300 * KIB)
    const greedy = budget.open({ organization: 'a', key: 'a1' })
    fill(greedy)
    expect([greedy.resize(greedy.bytes + KIB), greedy.bytes]).toEqual(['key', 100 * KIB])
    for (let key = 2; key < 100; key++) fill(budget.open({ organization: 'a', key: `a${key}` }))
    expect(budget.open({ organization: 'a', key: 'new' }).resize(20 * KIB)).toBe('organization')
    for (const organization of ['b', 'c', 'd']) fill(budget.open({ organization, key: organization }))
    expect(budget.open({ organization: 'new', key: 'new' }).resize(100 * KIB)).toBe('process')
  })

  it('gives one key up to a third, and takes back what a hold no longer needs, once', () => {
    const budget = new ByteBudget(300 * KIB)
    const reservation = budget.open({ organization: 'a', key: 'a1' })
    expect(reservation.resize(100 * KIB)).toBeUndefined()
    expect(reservation.resize(10 * KIB)).toBeUndefined()
    expect(budget.usedBytes).toBe(10 * KIB)
    reservation.release()
    reservation.release()
    expect(budget.usedBytes).toBe(0)
    expect(fill(budget.open({ organization: 'a', key: 'a1' }))).toBe(100)
  })

  it('gives nothing to a hold that was closed', () => {
    const budget = new ByteBudget(300 * KIB)
    const reservation = budget.open({ organization: 'a', key: 'a1' })
    reservation.resize(50 * KIB)
    reservation.close()
    expect(budget.usedBytes).toBe(0)
    expect(reservation.resize(20 * KIB)).toBeUndefined()
    expect([reservation.bytes, budget.usedBytes]).toEqual([0, 0])
  })
})
