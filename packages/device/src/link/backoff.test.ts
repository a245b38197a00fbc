import { describe, expect, it } from 'vitest'
import { FRESH, planReconnect, REJECTED_RETRY_MS, type Backoff, type LinkEnd } from './backoff.ts'

const lost: LinkEnd = { kind: 'lost', why: 'connection reset', linkedMs: 0 }
const TIRED: Backoff = { failures: 30, restMs: 40_000, hurryMs: 0 }

function delays(random: () => number, count: number, first: LinkEnd = lost): number[] {
  let backoff: Backoff = FRESH
  return Array.from({ length: count }, (_, index) => {
    const plan = planReconnect(backoff, index === 0 ? first : lost, random)
    backoff = plan.backoff
    return plan.delayMs
  })
}

describe('planReconnect', () => {
  it('tries inside windows of 1, 2, 4 and 7 s, each starting where the last one ended', () => {
    expect(delays(() => 0, 6)).toEqual([0, 1_000, 2_000, 4_000, 7_000, 7_000])
    expect(delays(() => 0.5, 4)).toEqual([500, 1_500, 3_000, 5_500])
  })

  it('waits longer once the gateway has been away for two minutes', () => {
    const all = delays(() => 0, 30)
    const before = all.slice(0, 21)
    expect(before.every((delayMs) => delayMs <= 7_000)).toBe(true)
    expect(before.reduce((sum, delayMs) => sum + delayMs)).toBeGreaterThan(120_000)
    expect(all.slice(21, 26)).toEqual([14_000, 28_000, 56_000, 56_000, 56_000])
  })

  it('is never more than two windows away from the gateway after a restart', () => {
    const draws = [0, 0.999, 0.5, 0.001, 0.9, 0.999, 0]
    let index = 0
    for (const delayMs of delays(() => draws[index++ % draws.length]!, 20)) expect(delayMs).toBeLessThan(14_000)
  })

  it.each([
    ['ten seconds', 10_000, {}],
    ['a minute, if the gateway ended it', 60_000, { isRejected: true }],
  ])('starts over after a link that was healthy for %s', (_, healthyMs, how) => {
    const delayMs = (linkedMs: number) => planReconnect(TIRED, { ...lost, ...how, linkedMs }, () => 0.5).delayMs
    expect([delayMs(healthyMs - 1), delayMs(healthyMs)]).toEqual([68_000, 500])
  })

  it('tries twice a second for 16 s after a link was lost in the middle of a job, then as often as others', () => {
    const all = delays(() => 0.5, 36, { ...lost, linkedMs: 100, wasBusy: true })
    expect(all.slice(0, 33)).toEqual([250, ...Array.from({ length: 32 }, () => 500)])
    expect(all.slice(33)).toEqual([3_750, 7_000, 7_000])
  })

  it('is in a hurry again each time that a link with jobs breaks, however short it was', () => {
    let backoff = TIRED
    for (let round = 0; round < 5; round++) {
      const plan = planReconnect(backoff, { ...lost, linkedMs: 50, wasBusy: true }, () => 0.9)
      expect(plan.delayMs).toBe(450)
      backoff = plan.backoff
    }
  })

  it('is in no hurry with a gateway that refuses it', () => {
    const hurried = planReconnect(FRESH, { ...lost, linkedMs: 100, wasBusy: true }, () => 0.5).backoff
    const refused = planReconnect(hurried, { ...lost, isRejected: true }, () => 0.5)
    expect(refused.delayMs).toBe(3_750)
    expect(planReconnect(refused.backoff, lost, () => 0.5).delayMs).toBe(7_000)
  })

  it('waits as long as the gateway asked, up to ten minutes', () => {
    const late = { failures: 5, restMs: 9_000, hurryMs: 0 }
    expect(planReconnect(late, { kind: 'restarting', reconnectInMs: 3_000 }, () => 0.9)).toEqual({
      backoff: FRESH,
      delayMs: 3_000,
    })
    expect(planReconnect(FRESH, { ...lost, retryAfterMs: 20_000 }, () => 0.5).delayMs).toBe(20_500)
    expect(planReconnect(FRESH, { ...lost, retryAfterMs: 1e12 }, () => 0).delayMs).toBe(600_000)
  })

  it('retries every five minutes after a rejected credential', () => {
    expect(planReconnect(FRESH, { kind: 'credential-rejected' }, () => 0.3).delayMs).toBe(REJECTED_RETRY_MS)
  })

  it('waits at least a minute if another app uses the same credential', () => {
    expect(planReconnect(FRESH, { kind: 'superseded' }, () => 0).delayMs).toBe(60_000)
  })

  it('waits twice as long each time it is refused because another machine uses its login, half an hour at most', () => {
    const delays: number[] = []
    for (let refusal = 0, backoff = FRESH; refusal < 6; refusal++) {
      const plan = planReconnect(backoff, { kind: 'in-use' }, () => 0)
      backoff = plan.backoff
      delays.push(plan.delayMs / 60_000)
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 16])
  })
})
