import { describe, expect, it } from 'vitest'
import { Acceptance } from './acceptance.ts'

describe('the acceptance of drafts', () => {
  it('follows the stream, and is where a new stream begins', () => {
    const all = new Acceptance()
    const stream = new Acceptance(all)
    for (let draft = 0; draft < 4; draft++) stream.learn(false)
    expect(stream.average).toBeLessThan(0.3)
    expect(all.average).toBeGreaterThan(0.4)
    expect(new Acceptance(all).average).toBe(all.average)
  })
})
