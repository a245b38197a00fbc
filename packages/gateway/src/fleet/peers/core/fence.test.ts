import { beforeEach, describe, expect, it } from 'vitest'
import { Fence } from './fence.ts'

const ROW = { number: 1, turn: 5 }

describe('Fence', () => {
  let fence: Fence
  beforeEach(() => {
    fence = new Fence()
    fence.sent([ROW], 10)
  })

  it('counts a claim from when the heartbeat after it has come back', () => {
    expect(fence.heardOwn(10, 100)).toBe(true)
    expect(fence.heardAt(ROW)).toBeUndefined()
    expect(fence.heardOwn(11, 200)).toBe(false)
    expect(fence.heardAt(ROW)).toBe(200)
    fence.sent([ROW], 12)
    fence.heardOwn(13, 300)
    expect(fence.heardAt(ROW)).toBe(200)
  })

  it('starts over when the row was renewed', () => {
    fence.heardOwn(11, 200)
    const renewed = { number: 1, turn: 6 }
    fence.sent([renewed], 12)
    fence.heardOwn(12, 300)
    expect([fence.heardAt(ROW), fence.heardAt(renewed)]).toEqual([undefined, undefined])
  })

  it('forgets a claim that was on its way when the connection broke', () => {
    fence.lose()
    fence.heardOwn(11, 200)
    expect(fence.heardAt(ROW)).toBeUndefined()
  })
})
