import { describe, expect, it } from 'vitest'
import { PrefixMemory } from './prefix-memory.ts'

const turn = (hash: number, size = hash * 10) => ({ hash, size })

describe('PrefixMemory', () => {
  it('finds the longest part of a conversation that a device has read', () => {
    const memory = new PrefixMemory<string>()
    memory.remember('laptop', [turn(1), turn(2)])
    memory.remember('laptop', [turn(1), turn(2), turn(3)])
    expect(memory.heldSize('laptop', [turn(1), turn(2), turn(3), turn(4)])).toBe(30)
    expect(memory.heldSize('laptop', [turn(1)])).toBe(0)
    expect(memory.heldSize('desktop', [turn(3)])).toBe(0)
    expect([...memory.holders(2)!]).toEqual(['laptop'])
  })

  it('forgets the conversation used longest ago, and devices that left', () => {
    const memory = new PrefixMemory<string>()
    for (let hash = 1; hash <= 256; hash++) memory.remember('laptop', [turn(hash)])
    memory.remember('laptop', [turn(1)])
    memory.remember('laptop', [turn(257)])
    expect(memory.heldSize('laptop', [turn(1)])).toBe(10)
    expect(memory.holders(2)).toBeUndefined()
    memory.forget('laptop')
    expect(memory.holders(1)).toBeUndefined()
  })

  it('remembers nothing for a job without a conversation', () => {
    const memory = new PrefixMemory<string>()
    memory.remember('laptop', [])
    expect(memory.heldSize('laptop', [])).toBe(0)
  })
})
